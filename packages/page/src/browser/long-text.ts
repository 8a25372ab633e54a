import { size } from "../conversation/format.ts";
import { visible } from "../text.ts";
import { copyButton } from "./copy-button.ts";
import { button, tag } from "./tag.ts";

/**
 * A text as it is, in a fixed font. Of a long one the beginning is shown, and more when a person asks for it: a text of
 * megabytes at once would stop the page. Control characters become escapes that can be read; the copy has the text itself.
 */
export function longText(text: string, label?: string): HTMLElement {
  const pre = tag("pre", { tabindex: 0, dir: "auto", ...(label !== undefined && { "aria-label": label }) });
  const box = tag("div", { class: "text-box" }, pre);
  let shown = beginningOf(text);
  const show = () => pre.replaceChildren(visible(text.slice(0, shown)), shown < text.length ? "…" : "");
  show();
  const tools = tag("div", { class: "row tools" });
  if (shown < text.length) {
    const more = button(moreText(text.length - shown), () => {
      shown = Math.min(text.length, shown + step);
      show();
      if (shown < text.length) more.textContent = moreText(text.length - shown);
      else more.remove();
    });
    more.classList.add("more");
    tools.append(more);
  }
  const copy = text.length > 0 && copyButton(() => text);
  if (copy) tools.append(copy);
  box.append(tools);
  return box;
}

function moreText(rest: number): string {
  return rest > step ? `Show ${size(step)} more of ${size(rest)}` : `Show the other ${size(rest)}`;
}

/** The length of the first lines, not inside of a surrogate pair. */
function beginningOf(text: string): number {
  let end = 0;
  for (let line = 0; line < mostLines; line++) {
    const next = text.indexOf("\n", end);
    if (next === -1) {
      end = text.length;
      break;
    }
    end = next + 1;
  }
  // A few lines more are no reason for a button.
  if (text.length - end < 200 && end < mostCharacters) end = text.length;
  if (end <= mostCharacters) return end;
  return /[\uD800-\uDBFF]/.test(text.charAt(mostCharacters - 1)) ? mostCharacters - 1 : mostCharacters;
}

const mostLines = 24;
const mostCharacters = 4000;
const step = 200_000;
