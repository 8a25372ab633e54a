import { assert, show } from "@cogency/protocol/testkit";
import { eventProblem } from "../event-problem.ts";
import { isCallId } from "../http/answer/call-id.ts";
import type { ModelEvent } from "../provider.ts";

/** Fails unless these are the events of a complete stream. */
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

function checkShapes(events: readonly unknown[]): void {
  for (const event of events) {
    const problem = eventProblem(event);
    if (problem) throw new Error(problem);
  }
}

function checkEnd(events: readonly ModelEvent[]): void {
  const finishes = events.filter(({ type }) => type === "finish").length;
  assert(finishes === 1, `There must be one \`finish\`; there are ${finishes}.`);
  assert(events.at(-1)?.type === "finish", "`finish` must be the last event.");
  const usages = events.filter((event) => event.type === "usage");
  assert(usages.length <= 1, `There must be at most one \`usage\`; there are ${usages.length}.`);
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
    assert(isCallId(event.id), `The id ${show(event.id)} does not match [A-Za-z0-9_-]{1,40}.`);
    assert(!ids.has(event.id), `The id ${show(event.id)} names two calls of one answer.`);
    assert(event.name !== "", "A `tool_call` must have a name.");
    assert(
      isJson(event.arguments),
      `The arguments ${show(event.arguments)} are not JSON text; missing arguments must be {}.`,
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
    const text = events.map((event) => (event.type === type ? event.text : "")).join("");
    assert(text.isWellFormed(), `The joined ${type} holds half a surrogate pair.`);
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
