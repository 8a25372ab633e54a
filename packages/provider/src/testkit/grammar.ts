import type { ModelEvent } from "../provider.ts";
import { assert, show } from "./assert.ts";

/** Fails unless these are the events of a stream that came to its end. */
export function assertGrammar(events: readonly ModelEvent[], what: string): void {
  const problem = problemOf(events);
  if (problem) throw new Error(`${what}: ${problem} The events: ${show(events)}`);
}

function problemOf(events: readonly ModelEvent[]): string | undefined {
  try {
    checkShapes(events);
    checkEnd(events);
    checkCalls(events);
    checkPieces(events);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** What the types promise, for providers that are written without them. */
const fields: Readonly<Record<ModelEvent["type"], Readonly<Record<string, string>>>> = {
  text: { text: "string" },
  reasoning: { text: "string" },
  tool_call_delta: { index: "number", arguments: "string" },
  tool_call: { id: "string", name: "string", arguments: "string" },
  usage: { usage: "object" },
  retry: { attempt: "number", delay: "number", code: "string", message: "string" },
  finish: { reason: "string" },
};

const reasons = ["stop", "length", "tool_calls", "content_filter", "aborted", "other"];

function checkShapes(events: readonly unknown[]): void {
  for (const event of events) {
    assert(typeof event === "object" && event !== null, `An event must be an object, not ${show(event)}.`);
    const given = event as Fields;
    const expected = Object.entries(fields).find(([type]) => type === given.type)?.[1];
    assert(expected !== undefined, `There is no event ${show(event)}.`);
    for (const [name, kind] of Object.entries(expected)) {
      const value = given[name];
      assert(typeof value === kind && value !== null, `\`${name}\` of ${show(event)} must be of the type ${kind}.`);
    }
    const isKnown = given.type !== "finish" || reasons.includes(String(given.reason));
    assert(isKnown, `\`reason\` of \`finish\` must be one of ${reasons.join(", ")}, not ${show(given.reason)}.`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function checkEnd(events: readonly ModelEvent[]): void {
  const finishes = events.filter(({ type }) => type === "finish").length;
  assert(finishes === 1, `There must be one \`finish\`, and there are ${finishes}.`);
  assert(events.at(-1)?.type === "finish", "`finish` must be the last event.");
  const usages = events.filter((event) => event.type === "usage");
  assert(usages.length <= 1, `There must be one \`usage\` at most, and there are ${usages.length}.`);
  if (usages.length === 0) return;
  assert(events.at(-2)?.type === "usage", "`usage` must come directly before `finish`.");
  for (const { usage } of usages) {
    const { input, output, cacheRead, cacheWrite, reasoning } = usage;
    const counts = [input, output, cacheRead, cacheWrite, reasoning];
    assert(
      counts.every((count) => Number.isSafeInteger(count) && count >= 0),
      "`usage` must hold five counts.",
    );
    assert(reasoning <= output, "`usage.output` must include `usage.reasoning`.");
  }
}

function checkCalls(events: readonly ModelEvent[]): void {
  const ids = new Set<string>();
  for (const [position, event] of events.entries()) {
    if (event.type !== "tool_call") continue;
    assert(/^[A-Za-z0-9_-]{1,40}$/.test(event.id), `The id ${show(event.id)} does not match [A-Za-z0-9_-]{1,40}.`);
    assert(!ids.has(event.id), `The id ${show(event.id)} names two calls of one answer.`);
    assert(event.name !== "", "A `tool_call` must have a name.");
    assert(
      isJson(event.arguments),
      `The arguments ${show(event.arguments)} are no JSON text; where there are none it is {}.`,
    );
    const index = ids.size;
    const late = events.slice(position).some((other) => other.type === "tool_call_delta" && other.index === index);
    assert(!late, `The whole call ${index} must come after its deltas.`);
    ids.add(event.id);
  }
}

function checkPieces(events: readonly ModelEvent[]): void {
  const begin = events.findIndex(({ type }) => type !== "retry");
  const lateRetry = events.slice(begin).some(({ type }) => type === "retry");
  assert(!lateRetry, "A `retry` must come before everything else.");
  for (const type of ["text", "reasoning"] as const) {
    const said = events.map((event) => (event.type === type ? event.text : "")).join("");
    assert(said.isWellFormed(), `What is told as ${type} holds half a surrogate pair.`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
