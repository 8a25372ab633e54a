import { createParser } from "../src/parse/parser.ts";
import type { Input } from "./generate.ts";
import { type ReferenceOptions, reference } from "./reference/reference.ts";

/**
 * P2, unit by unit: whether text or thinking was held back that could no longer turn out to be anything else. What a
 * parser may keep of a text is the longest end of it that {@link mayBeHeld} takes.
 */
export function heldDifference({ text, options }: Pick<Input, "text" | "options">): string | undefined {
  const { finish: _, ...parserOptions } = options;
  const parser = createParser(parserOptions);
  let told = "";
  for (let i = 0; i < text.length && !parser.done; i++) {
    for (const event of parser.write(text.charAt(i))) {
      if (event.type === "think" || event.type === "respond") told += event.content;
    }
    const read = text.slice(0, i + 1);
    const due = contentOf(read.replace(mayBeHeld, ""), options);
    // What is taken off may be no beginning of anything, but the first character of a block.
    const isDue = contentOf(read, options).startsWith(due);
    if (isDue && !parser.done && !told.startsWith(due)) {
      return `P2: after unit ${i} only ${JSON.stringify(told)} was told`;
    }
  }
  return undefined;
}

const markers = ["<think>", "</think>", "<execute>", "</execute>", "<results>", "</results>", "<end>"];

const beginnings = markers.flatMap((marker) => [...marker].slice(1).map((_, i) => marker.slice(0, i + 1)));

/** White space, an undecided marker with the white space after it, a beginning of a marker, half of a pair. */
const mayBeHeld = new RegExp(
  `[\\t\\n\\r ]*(?:<(?:execute|results)>[\\t\\n\\r ]*)?(?:${beginnings.join("|")}|[\\ud800-\\udbff])?$`,
);

function contentOf(text: string, options: ReferenceOptions): string {
  return reference(text, { ...options, finish: "length" })
    .events.map((event) => (event.type === "think" || event.type === "respond" ? event.content : ""))
    .join("");
}
