import type { PageElement } from "./page-dom.ts";

/**
 * Removes what a reader of the page would not see, because hidden text can speak to the model unnoticed: scripts, styles,
 * content for other programs, and elements that attributes or inline styles hide. Style sheets are not read.
 */
export function stripHidden(root: PageElement): void {
  for (const element of [...root.querySelectorAll(neverShown)]) element.remove();
  for (const element of [...root.querySelectorAll("[style]")]) {
    if (hides(element.getAttribute("style") ?? "")) element.remove();
  }
}

const neverShown = [
  ..."script style template noscript noframes noembed iframe object embed applet canvas audio video svg math".split(
    " ",
  ),
  ..."rp title datalist input textarea select area param".split(" "),
  "[hidden]",
  "[popover]",
  '[aria-hidden="true" i]',
  "dialog:not([open])",
].join(",");

function hides(style: string): boolean {
  // Nobody writes such a long style by hand. Treating it as hidden limits the work.
  if (style.length > mostStyle) return true;
  const plain = style
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\/g, "")
    .toLowerCase();
  const declarations = plain.split(";").map((declaration) => {
    const [property = "", value = ""] = declaration.split(":").map((part) => part.replace(/!\s*important/, "").trim());
    return { property, value };
  });
  if (declarations.some(({ property, value }) => hidingProperties.get(property)?.test(value))) return true;
  const isCut = declarations.some(
    ({ property, value }) => overflowProperties.has(property) && /^(hidden|clip)/.test(value),
  );
  return isCut && declarations.some(({ property, value }) => sizeProperties.has(property) && zeroLength.test(value));
}

const mostStyle = 10_000;

const zeroLength = /^[-+]?(?:0+\.?0*|\.0+)(?:e[-+]?\d+)?(?:[a-z]+|%)?$/;
const farOff = /^(?:calc\(\s*)?-(?:\d{4,}|\d+e\d|\d{3,}(?:r?em|v[hw]))/;
const noColor =
  /^(?:transparent|#[\da-f]{3}0|#[\da-f]{6}00|(?:rgb|hsl)a?\((?:(?:[^,]*,){3}|[^/]*\/)\s*(?:0+\.?0*|\.0+)%?\s*\))$/;
const noShape = /scale[3dxyz]*\(\s*(?:0+\.?0*|\.0+)\s*[,)]|translate[3dxy]*\(\s*-(?:\d{4,}|\d{3,}(?:r?em|v[hw]))/;

const overflowProperties = new Set(["overflow", "overflow-x", "overflow-y"]);
const sizeProperties = new Set(["width", "height", "max-width", "max-height", "inline-size", "block-size"]);

const hidingProperties = new Map([
  ["display", /^none$/],
  ["visibility", /^(hidden|collapse)$/],
  ["content-visibility", /^hidden$/],
  ["opacity", /^(?:-|(?:calc\(\s*)?\+?(?:0+\.?0*|\.0+)(?:e[-+]?\d+)?%?\s*\)?$)/],
  ["filter", /opacity\(\s*(?:0+\.?0*|\.0+)%?\s*\)/],
  ["font-size", zeroLength],
  ["font", /^(?:[a-z-]+\s+)*(?:0+\.?0*|\.0+)(?:[a-z]+|%)?(?:\s*\/|\s)/],
  ["color", noColor],
  ["transform", noShape],
  ["scale", zeroLength],
  ["zoom", zeroLength],
  ["left", farOff],
  ["right", farOff],
  ["top", farOff],
  ["bottom", farOff],
  ["inset", farOff],
  ["margin-left", farOff],
  ["margin-top", farOff],
  ["text-indent", farOff],
  ["clip", /^rect\(\s*0/],
  ["clip-path", /^(?:inset\(\s*(50|100)%|circle\(\s*0(?![.\d])|polygon\(\s*0\s+0\s*(?:,\s*0\s+0\s*)*\))/],
]);
