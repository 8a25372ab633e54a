import type { Dialect } from "../message.ts";
import { parseSync } from "../parse/parse.ts";
import { acceptableJson } from "../text/json-text.ts";
import { escapeMarkers, THINK, THINK_CLOSE } from "../text/markers.ts";
import { formatCalls, formatResults, formatThink, jsonBlock } from "../write/blocks.ts";
import { type FormWriter, type StoredCall, userMessage } from "./form-writer.ts";

/** The text protocol: markers in the assistant's text, results as a user message (protocol.md §4). */
export function textForm(dialect: Dialect): FormWriter {
  return {
    assistantMessage({ units, calls }) {
      const parts: string[] = [];
      let thinking = "";
      units.forEach(({ type, content }, index) => {
        if (type === "think") {
          thinking = thinkBlock;
          parts.push(formatThink(content));
          return;
        }
        const isLast = index === units.length - 1 && calls.length === 0;
        const text = escapedReply(content, dialect, thinking, isLast ? "" : thinkBlock);
        // An empty think block ends the unit before it. It also keeps chat templates that cut history at the last
        // `</think>` from cutting here.
        const isSecond = units[index - 1]?.type === type;
        if (isSecond || (thinking === "" && text.includes(THINK_CLOSE))) parts.push(THINK + THINK_CLOSE);
        parts.push(text);
      });
      if (calls.length > 0) parts.push(dialect === "xml" ? formatCalls(calls, { dialect }) : storedBlock(calls));
      return { role: "assistant", content: parts.join("\n\n") };
    },
    userContent: escapeMarkers,
    resultMessages: (results) => [
      userMessage(
        formatResults(results),
        results.flatMap(({ attachments = [] }) => attachments),
      ),
    ],
  };
}

/** Writes the calls from their stored text, because objects do not keep every order of keys. */
function storedBlock(calls: readonly StoredCall[]): string {
  return jsonBlock(calls.map(({ content }) => acceptableJson(content)));
}

const thinkBlock = "<think>…</think>";

/**
 * A reply as it can be written between `before` and `after`. One that another dialect or driver wrote may hold text that
 * would read as a marker here. Then a space follows the `<` of each marker.
 */
function escapedReply(content: string, dialect: Dialect, before: string, after: string): string {
  const text = escapeMarkers(content, "< ");
  const readsBack =
    text === content ||
    parseSync(`${before}${content}\n${after}`, { dialect }).some(
      (event) => event.type === "respond" && event.content === content,
    );
  return readsBack ? content : text;
}
