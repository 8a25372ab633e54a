import type { AssistantMessage } from "../message.ts";
import { uniqueName } from "../text/unique-name.ts";
import type { ToolResult } from "../tool.ts";
import type { FormWriter } from "./form-writer.ts";
import { resultText } from "./result-text.ts";

/**
 * Native tool calls and tool messages. Thinking is not replayed as text: the provider's native blocks hold what it needs
 * back. A refused block has no call that a tool message could answer, so a user message says why.
 */
export function nativeForm(): FormWriter {
  const used = new Set<string>();
  return {
    requestId(id = "") {
      const unique = /^[\w-]{1,40}$/.test(id) && !used.has(id) ? id : uniqueName(`call_${used.size}`, used);
      used.add(unique);
      return unique;
    },
    hidesThinking: () => true,
    showsNative: true,
    assistantMessage({ units, calls, native }) {
      const message: AssistantMessage = {
        role: "assistant",
        content: units.flatMap(({ type, content }) => (type === "respond" ? content : [])).join("\n\n"),
      };
      if (calls.length > 0) {
        message.calls = calls.map(({ requestId, name, args }) => ({ id: requestId, name: toolName(name), args }));
      }
      if (native) message.native = native;
      return message;
    },
    resultMessages(results, asked) {
      if (!asked?.calls)
        return results.map((result) => ({ role: "user", content: refused + resultText(result).content }));
      const answered = asked.calls.map(({ id, name }, i) => ({ id, name, ...resultText(results[i] as ToolResult) }));
      return [{ role: "tool", results: answered }];
    },
  };
}

const refused = "Your tool calls were refused, and none of them was run: ";

/** Makes a name that every provider accepts. */
function toolName(name: string): string {
  return name.replace(/[^\w-]/gu, "_").slice(0, 64) || "_";
}
