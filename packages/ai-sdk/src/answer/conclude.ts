import type { FinishReason } from "@cogency/protocol";
import { type ModelEvent, ProviderError } from "@cogency/provider";
import type { Finish } from "./finish.ts";
import { nativeOf } from "./native.ts";
import { type CallItem, isCall, type State } from "./reduce.ts";

/** The events that end an answer. */
export function conclude({ items }: State, finish: Finish): ModelEvent[] {
  const calls = items.filter(isCall);
  const reason = reasonOf(finish, calls.length > 0);
  const native = calls.every(({ input }) => input !== undefined) ? nativeOf(items) : undefined;
  return [
    ...calls.map((call): ModelEvent => {
      const { id, name } = call;
      return { type: "tool_call", id, name, arguments: argumentsOf(call, reason) };
    }),
    ...(finish.usage ? [{ type: "usage", usage: finish.usage } as const] : []),
    { type: "finish", reason, raw: finish.raw, ...(native && { native }) },
  ];
}

/** What is wrong with an answer that has come to its end; undefined if nothing is. */
export function problemOf({ items }: State, { reason, raw }: Finish, name: string): ProviderError | undefined {
  if (reason === "error")
    return new ProviderError("server", `${name} broke its answer off: it finished with an error.`);
  if (items.some((item) => isCall(item) && item.name === "")) {
    return new ProviderError(
      "bad_response",
      `${name} called a tool without a name (finish reason ${raw.slice(0, 50)}).`,
    );
  }
  return undefined;
}

/** The text of the answer so far. */
export function textOf({ items }: State): string {
  return items.map((item) => (item.type === "text" ? item.text : "")).join("");
}

/** All that was generated: text, reasoning and arguments. */
export function generatedText({ items }: State): string {
  return items
    .map((item) => (item.type === "kept" ? "" : item.type === "call" ? (item.input ?? item.pieces) : item.text))
    .join("");
}

/** Servers end an answer with calls by other words too, and one whose calls their own tools have answered by that of calls. */
function reasonOf({ reason, raw }: Finish, hasCalls: boolean): FinishReason {
  // The word of servers that speak Gemini and are not Google's, which the AI SDK does not know.
  const isOfCalls = reason === "stop" || raw === "FUNCTION_CALL";
  if (isOfCalls && hasCalls) return "tool_calls";
  if (reason === "tool_calls" && !hasCalls) return "stop";
  return reason === "error" || reason === "interrupted" ? "other" : reason;
}

/** A call that was cut off before its arguments has none: `{}` would be a call that the model did not make. */
function argumentsOf({ input, pieces }: CallItem, reason: FinishReason): string {
  const text = input ?? pieces;
  if (text.trim() !== "") return text;
  return input === undefined && (reason === "length" || reason === "content_filter") ? "" : "{}";
}
