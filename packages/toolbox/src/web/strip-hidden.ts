import type { PageElement } from "./page-dom.ts";

/**
 * Takes away what a reader of the page would not see, so that nobody can speak to the model behind the reader's back:
 * scripts, styles, content for other programs, and what attributes or inline styles hide. Style sheets are not read.
 */
export function stripHidden(root: PageElement): void {
  for (const element of [...root.querySelectorAll(NEVER_SHOWN)]) element.remove();
  for (const element of [...root.querySelectorAll("[style]")]) {
    if (hides(element.getAttribute("style") ?? "")) element.remove();
  }
}

const NEVER_SHOWN = [
  ..."script style template noscript noframes noembed iframe object embed applet canvas audio video svg math".split(
    " ",
  ),
  ..."title datalist input textarea select area param".split(" "),
  "[hidden]",
  '[aria-hidden="true" i]',
  "dialog:not([open])",
].join(",");

function hides(style: string): boolean {
  // Nobody writes so much by hand: whatever it says, it is not worth the work.
  if (style.length > MOST_STYLE) return true;
  const plain = style
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\/g, "")
    .toLowerCase();
  return plain.split(";").some((declaration) => {
    const [property = "", value = ""] = declaration.split(":").map((part) => part.replace(/!important/, "").trim());
    return HIDING.get(property)?.test(value) ?? false;
  });
}

const MOST_STYLE = 10_000;

const HIDING = new Map([
  ["display", /^none$/],
  ["visibility", /^(hidden|collapse)$/],
  ["content-visibility", /^hidden$/],
  ["opacity", /^0*\.?0*%?$/],
  ["font-size", /^0*\.?0*[a-z%]*$/],
  ["color", /^transparent$/],
  ["left", /^-\d{4,}/],
  ["top", /^-\d{4,}/],
  ["text-indent", /^-\d{4,}/],
  ["clip", /^rect\(\s*0/],
  ["clip-path", /^inset\((50|100)%/],
]);
