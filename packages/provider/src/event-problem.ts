import type { ModelEvent } from "./provider.ts";

/** Describes what is wrong with the shape of an event; undefined if nothing is. For code that is not type-checked. */
export function eventProblem(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null) return `An event must be an object, not ${show(event)}.`;
  const given = event as Readonly<Record<string, unknown>>;
  const expected = Object.entries(fields).find(([type]) => type === given.type)?.[1];
  if (!expected) return `There is no event ${show(event)}.`;
  for (const [name, kind] of Object.entries(expected)) {
    const value = given[name];
    if (typeof value !== kind || value === null) return `\`${name}\` of ${show(event)} must be of the type ${kind}.`;
  }
  const isKnown = given.type !== "finish" || reasons.includes(String(given.reason));
  if (isKnown) return undefined;
  return `\`reason\` of \`finish\` must be one of ${reasons.join(", ")}, not ${show(given.reason)}.`;
}

const fields: Readonly<Record<ModelEvent["type"], Readonly<Record<string, string>>>> = {
  text: { text: "string" },
  reasoning: { text: "string" },
  tool_call_delta: { index: "number", arguments: "string" },
  tool_call: { id: "string", name: "string", arguments: "string" },
  usage: { usage: "object" },
  retry: { attempt: "number", delay: "number", code: "string", message: "string" },
  ignored: { setting: "string", message: "string" },
  finish: { reason: "string" },
};

const reasons = ["stop", "length", "tool_calls", "content_filter", "aborted", "other"];

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
