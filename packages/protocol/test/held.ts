import { createParser } from "../src/parse/parser.ts";
import type { Input } from "./generate.ts";
import { type ReferenceOptions, reference } from "./reference/reference.ts";

/**
 * P2, one UTF-16 unit at a time: whether the parser held back text or thinking that could not become anything else. It may
 * hold back the longest end of a text that {@link mayBeHeld} accepts.
 */
export function heldDifference({ text, options }: Pick<Input, "text" | "options">): string | undefined {
  const { finish: _, ...parserOptions } = options;
  const parser = createParser(parserOptions);
  let emitted = "";
  for (let i = 0; i < text.length && !parser.done; i++) {
    for (const event of parser.write(text.charAt(i))) {
      if (event.type === "think" || event.type === "respond") emitted += event.content;
    }
    const read = text.slice(0, i + 1);
    const due = contentOf(read.replace(mayBeHeld, ""), options);
    // The character that is taken off need not begin anything: it may be the first character of a block.
    const isDue = contentOf(read, options).startsWith(due);
    if (isDue && !parser.done && !emitted.startsWith(due)) {
      return `P2: after unit ${i} only ${JSON.stringify(emitted)} was emitted`;
    }
  }
  return undefined;
}

const markers = ["<think>", "</think>", "<execute>", "</execute>", "<results>", "</results>", "<end>"];

const beginnings = markers.flatMap((marker) => [...marker].slice(1).map((_, i) => marker.slice(0, i + 1)));

/**
 * White space, an undecided marker with the white space after it, a beginning of a marker, half of a surrogate pair.
 */
const mayBeHeld = new RegExp(
  `[\\t\\n\\r ]*(?:<(?:execute|results)>[\\t\\n\\r ]*)?(?:${beginnings.join("|")}|[\\ud800-\\udbff])?$`,
);

function contentOf(text: string, options: ReferenceOptions): string {
  return reference(text, { ...options, finish: "length" })
    .events.map((event) => (event.type === "think" || event.type === "respond" ? event.content : ""))
    .join("");
}
