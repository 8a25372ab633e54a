import type { AssistantMessage } from "../message.ts";
import { distinct } from "../text/distinct.ts";
import type { ToolResult } from "../tool.ts";
import type { FormWriter } from "./form-writer.ts";
import { resultText } from "./result-text.ts";

/**
 * Native tool calls and tool messages. Thinking is not replayed as text: what a provider needs of it stands in its
 * native blocks. A block that was refused is told by a user message, because no call is there to be answered.
 */
export function nativeForm(): FormWriter {
  const used = new Set<string>();
  const uniqueId = (id = "") => {
    const unique = /^[\w-]{1,40}$/.test(id) && !used.has(id) ? id : distinct(`call_${used.size}`, used);
    used.add(unique);
    return unique;
  };
  return {
    said({ units, calls, native }) {
      const message: AssistantMessage = {
        role: "assistant",
        content: units.flatMap(({ type, content }) => (type === "respond" ? content : [])).join("\n\n"),
      };
      if (calls.length > 0) {
        message.calls = calls.map(({ id, name, args }) => ({ id: uniqueId(id), name: toolName(name), args }));
      }
      if (native) message.native = native;
      return message;
    },
    answers(results, to) {
      if (!to?.calls) return results.map((result) => ({ role: "user", content: refused + resultText(result).content }));
      const answered = to.calls.map(({ id, name }, i) => ({ id, name, ...resultText(results[i] as ToolResult) }));
      return [{ role: "tool", results: answered }];
    },
  };
}

const refused = "Your tool calls were refused, and none of them was run: ";

/** A name that every provider takes. */
function toolName(name: string): string {
  return name.replace(/[^\w-]/gu, "_").slice(0, 64) || "_";
}
