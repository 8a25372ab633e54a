import type { JsonObject } from "@cogency/protocol";
import type { ModelEvent, ScriptedReply, ScriptedStep } from "@cogency/provider";

/** Milliseconds between two pieces of an answer: long enough that followers get each unit in several pieces. */
const pause = 25;

/** The same answer, written at the speed of a model. */
export function slowly(step: ScriptedStep): ScriptedStep {
  return typeof step === "function" ? (request) => slowReply(step(request)) : slowReply(step);
}

function slowReply(reply: ScriptedReply): ScriptedReply {
  if (typeof reply === "string") return { chunks: reply, delay: pause };
  if ("chunks" in reply || "events" in reply || "error" in reply) return { delay: pause, ...reply };
  return { chunks: reply as readonly string[], delay: pause };
}

/** A block of calls as a model writes it in the JSON dialect. */
export function block(...calls: readonly [name: string, args: JsonObject][]): string {
  return `<execute>${JSON.stringify(calls.map(([name, args]) => ({ name, args })))}</execute>`;
}

/** A native call whose arguments come in pieces. */
export function nativeCall(index: number, id: string, name: string, args: JsonObject): ModelEvent[] {
  const text = JSON.stringify(args);
  return [
    { type: "tool_call_delta", index, id, name, arguments: "" },
    ...cut(text).map((piece): ModelEvent => ({ type: "tool_call_delta", index, arguments: piece })),
    { type: "tool_call", id, name, arguments: text },
  ];
}

/** Reasoning in pieces, as a wire gives it that has it apart from text. */
export function reasoning(text: string): ModelEvent[] {
  return cut(text).map((piece) => ({ type: "reasoning", text: piece }));
}

/** Text in pieces. */
export function words(text: string): ModelEvent[] {
  return cut(text).map((piece) => ({ type: "text", text: piece }));
}

/** Six letters a piece. */
function cut(text: string): string[] {
  return text.match(/.{1,6}/gsu) ?? [];
}
