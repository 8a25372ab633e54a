import { counted } from "../conversation/format.ts";
import { searchText } from "../conversation/search-text.ts";
import type { Entry } from "../conversation/step.ts";
import { button, reveal, tag } from "./tag.ts";

/** What the search looks through. */
export interface Searched {
  entries(): readonly Entry[];
  elementOf(seq: number): HTMLElement | null;
  /** Shows an entry, and puts the focus on it if asked. */
  show(seq: number, takesFocus: boolean): void;
}

/** A field that finds words in all entries, also in what is collapsed. Enter goes on, Shift+Enter back. */
export function searchField(searched: Searched): HTMLElement {
  const input = tag("input", {
    type: "search",
    id: "search",
    placeholder: "Search",
    "aria-label": "Search in the conversation",
    autocomplete: "off",
    "aria-describedby": "found",
  });
  const found = tag("output", { id: "found", class: "fact", for: "search" });
  const texts = new WeakMap<Entry, string>();
  let hits: number[] = [];
  let at = -1;

  const textOf = (entry: Entry) => {
    const text = texts.get(entry) ?? searchText(entry);
    texts.set(entry, text);
    return text;
  };
  const look = () => {
    const words = input.value.trim().toLowerCase();
    hits = words === "" ? [] : searched.entries().flatMap((entry) => (textOf(entry).includes(words) ? entry.seq : []));
    at = -1;
    mark(undefined, "");
    found.value = words === "" ? "" : counted(hits.length, "hit");
  };
  const go = (way: 1 | -1) => {
    if (hits.length === 0) return;
    at = (at + way + hits.length + (at === -1 && way === -1 ? 1 : 0)) % hits.length;
    found.value = `${at + 1} of ${hits.length}`;
    const seq = hits[at] ?? 0;
    searched.show(seq, false);
    mark(searched.elementOf(seq), input.value.trim().toLowerCase());
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, 150);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.blur();
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(timer);
    if (at === -1) look();
    go(event.shiftKey ? -1 : 1);
  });
  return tag(
    "div",
    { class: "search", role: "search" },
    input,
    found,
    button("↑", () => go(-1), { class: "quiet", "aria-label": "Previous hit" }),
    button("↓", () => go(1), { class: "quiet", "aria-label": "Next hit" }),
  );
}

/** Marks the words in one entry, and scrolls to the first of them. Changes nothing of the entry itself. */
function mark(element: HTMLElement | null | undefined, words: string): void {
  CSS.highlights?.delete("found");
  if (!element || words === "") return;
  for (const details of element.querySelectorAll("details")) reveal(details);
  let ranges = rangesIn(element, words);
  // They stand in a part of a long text that is not shown yet.
  for (let tries = 0; ranges.length === 0 && tries < 50; tries++) {
    const more = element.querySelector<HTMLElement>("button.more");
    if (!more) break;
    more.click();
    ranges = rangesIn(element, words);
  }
  if (ranges.length === 0) return;
  CSS.highlights?.set("found", new Highlight(...ranges));
  ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
}

function rangesIn(element: HTMLElement, words: string): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() && ranges.length < 500) {
    const node = texts.currentNode as Text;
    const text = node.data.toLowerCase();
    for (let at = text.indexOf(words); at !== -1 && ranges.length < 500; at = text.indexOf(words, at + words.length)) {
      const end = at + words.length;
      // Some letters have another length in lower case.
      if (end > node.data.length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}
