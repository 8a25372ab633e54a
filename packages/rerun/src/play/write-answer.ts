import { formatCalls, formatThink, type Json, type JsonObject } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ScriptedResponse } from "@cogency/provider";
import type { PlayedCall, PlayedStep } from "./played-step.ts";

/** How a model writes: for the text protocol in either dialect, with native calls, or decisions of `reactDriver`. */
export type WrittenForm = "json" | "xml" | "native" | "react";

/** The answer of a model that writes this step in this form. */
export function writeAnswer(step: PlayedStep, form: WrittenForm): ScriptedResponse {
  const events = form === "native" ? nativeEvents(step) : [textEvent(textOf(step, form))];
  const { fails, cancelled, cut, native } = step;
  const isCalling = events.some(({ type }) => type === "tool_call");
  const reason = cut ? "length" : isCalling ? "tool_calls" : "stop";
  if (fails) {
    const error = new ProviderError(fails, `The recorded model failed here: ${fails}.`, { retryable: false });
    return { events: events.filter((event) => event.type !== "text" || event.text !== ""), error };
  }
  if (cancelled) return { events, hang: true };
  return { events: [...events, { type: "finish", reason, ...(native !== undefined && { native }) }] };
}

/** The thinking and the text of a step, in their order. */
function partsOf({ parts, think, text }: PlayedStep): readonly ({ think: string } | { text: string })[] {
  return parts ?? [...(think === undefined ? [] : [{ think }]), ...(text === undefined ? [] : [{ text }])];
}

function textOf(step: PlayedStep, form: Exclude<WrittenForm, "native">): string {
  const parts = partsOf(step);
  const { calls = [], refused, fails, cancelled, cut, open } = step;
  if (form === "react") return decisionText(step);
  const written = parts.map((part) => ("think" in part ? formatThink(part.think) : part.text)).join("");
  // A marker right after a backtick would be text.
  const before = written.endsWith("`") ? `${written}\n` : written;
  if (refused !== undefined) return before + refused;
  if (calls.length > 0) return before + formatCalls(calls.map(callOf), { dialect: form });
  return fails || cancelled || cut || open ? written : `${before}<end>`;
}

function decisionText(step: PlayedStep): string {
  const parts = partsOf(step);
  const { calls = [], refused, fails, cancelled } = step;
  if (refused !== undefined) return refused;
  const texts = (name: "think" | "text") =>
    parts.flatMap((part) => (name in part ? [(part as Record<typeof name, string>)[name]] : [])).join("\n\n");
  const thought = texts("think");
  const head: JsonObject = thought === "" ? {} : { thought };
  const [call] = calls.map(callOf);
  if (call) return JSON.stringify({ ...head, type: "call_tool", tool: call.name, args: call.args });
  const whole = JSON.stringify({ ...head, type: "final_answer", answer: texts("text") });
  // What broke off has no end.
  return fails || cancelled ? whole.slice(0, -2) : whole;
}

function nativeEvents(step: PlayedStep): ModelEvent[] {
  const { calls = [], refused } = step;
  const written = partsOf(step).map(
    (part): ModelEvent => ("think" in part ? { type: "reasoning", text: part.think } : textEvent(part.text)),
  );
  const wanted = calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.args ?? {}) }));
  return [...written, ...[...wanted, ...refusedCalls(refused)].flatMap(nativeCall)];
}

/** A refused message stands in the log as one JSON object a line, with the arguments as the model wrote them. */
function refusedCalls(refused = ""): { name: string; arguments: string }[] {
  return refused.split("\n").flatMap((line) => {
    const { name, arguments: args } = (line === "" ? {} : readObject(line)) as Record<string, Json>;
    return typeof name === "string"
      ? [{ name, arguments: typeof args === "string" ? args : JSON.stringify(args) }]
      : [];
  });
}

function readObject(line: string): JsonObject {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return {};
  }
}

function nativeCall(call: { name: string; arguments: string }, index: number): ModelEvent[] {
  // The provider's own ids are never stored.
  const id = `played_${index + 1}`;
  return [
    { type: "tool_call_delta", index, id, ...call },
    { type: "tool_call", id, ...call },
  ];
}

function textEvent(text: string): ModelEvent {
  return { type: "text", text };
}

function callOf({ name, args = {} }: PlayedCall): { name: string; args: JsonObject } {
  return { name, args };
}
