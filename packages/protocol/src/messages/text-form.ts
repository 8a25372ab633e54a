import type { Dialect } from "../message.ts";
import { parseSync } from "../parse/parse.ts";
import { acceptableJson } from "../text/json-text.ts";
import { escapeMarkers, THINK, THINK_CLOSE } from "../text/markers.ts";
import { formatCalls, formatResults, formatThink, jsonBlock } from "../write/blocks.ts";
import type { FormWriter, StoredCall } from "./form-writer.ts";

/** The text protocol: markers in the assistant's words, results as a user message (protocol.md §4). */
export function textForm(dialect: Dialect): FormWriter {
  return {
    said({ units, calls }) {
      const parts: string[] = [];
      let thinking = "";
      units.forEach(({ type, content }, index) => {
        if (type === "think") {
          thinking = someThinking;
          parts.push(formatThink(content));
          return;
        }
        const isLast = index === units.length - 1 && calls.length === 0;
        const text = readable(content, dialect, thinking, isLast ? "" : someThinking);
        // An empty think block ends the unit before it, and keeps chat templates that cut history at the last
        // `</think>` from cutting here.
        const isSecond = units[index - 1]?.type === type;
        if (isSecond || (thinking === "" && text.includes(THINK_CLOSE))) parts.push(THINK + THINK_CLOSE);
        parts.push(text);
      });
      if (calls.length > 0) parts.push(dialect === "xml" ? formatCalls(calls, { dialect }) : storedBlock(calls));
      return { role: "assistant", content: parts.join("\n\n") };
    },
    heard: escapeMarkers,
    answers: (results) => [{ role: "user", content: formatResults(results) }],
  };
}

/** Calls as they were stored, because their keys may have an order that objects do not keep. */
function storedBlock(calls: readonly StoredCall[]): string {
  return jsonBlock(calls.map(({ content }) => acceptableJson(content)));
}

const someThinking = "<think>…</think>";

/**
 * A reply that reads back as it is between what stands around it. One that another dialect or driver has left may hold
 * what would be read as a marker here: there `<` is followed by a space.
 */
function readable(content: string, dialect: Dialect, before: string, after: string): string {
  const text = escapeMarkers(content, "< ");
  const isReadable =
    text === content ||
    parseSync(`${before}${content}\n${after}`, { dialect }).some(
      (event) => event.type === "respond" && event.content === content,
    );
  return isReadable ? content : text;
}
