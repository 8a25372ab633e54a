import type { ChangedLine } from "../conversation/changed-lines.ts";
import { counted } from "../conversation/format.ts";
import { visible } from "../text.ts";
import { button, tag } from "./tag.ts";

/** Lines of a change in colour, each with its sign. `isWhole` shows all of them at once. */
export function diffView(title: string, lines: readonly ChangedLine[], isWhole = false): HTMLElement {
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.filter(({ sign }) => sign === "-").length;
  const pre = tag("pre", { class: "diff", tabindex: 0, "aria-label": `Changes of ${visible(title)}` });
  const shown = isWhole || lines.length <= most + 5 ? lines.length : most;
  pre.append(...lines.slice(0, shown).map(lineView));
  const counts = tag(
    "span",
    { class: "fact" },
    tag("span", { class: "added" }, `+${added}`),
    " ",
    tag("span", { class: "removed" }, `−${removed}`),
  );
  const figure = tag(
    "figure",
    { class: "text-box" },
    tag("figcaption", {}, tag("code", {}, visible(title)), " ", counts),
    pre,
  );
  if (shown < lines.length) {
    const more = button(`Show ${counted(lines.length - shown, "more line")}`, () => {
      pre.append(...lines.slice(shown).map(lineView));
      more.remove();
    });
    figure.append(tag("div", { class: "row tools" }, more));
  }
  return figure;
}

const most = 60;

function lineView({ sign, text }: ChangedLine): HTMLElement {
  const kind = sign === "+" ? "added" : sign === "-" ? "removed" : undefined;
  return tag("span", { class: kind ? `line ${kind}` : "line" }, `${sign} ${visible(text)}\n`);
}
