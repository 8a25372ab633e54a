import type { StoredEvent } from "@cogency/storage";
import type { Asked } from "../said.ts";
import { changedTools } from "./brought.ts";
import { divided, outputsIn } from "./history.ts";
import { readCallId } from "./ids.ts";

/**
 * Where a log has taken the results that a request brings: the number of the event after which the model can go on with them once more. A
 * client that has lost an answer asks for it again so. Undefined if one of them is new, or another than the log has, and where words or
 * other tools come with them.
 */
export function resultsAt(asked: Asked, events: readonly StoredEvent[]): number | undefined {
  const { last } = divided(asked.said);
  if (last.some(({ type }) => type === "words") || changedTools(asked, events)) return undefined;
  const outputs = outputsIn(last).map(({ call, output }) => ({ id: readCallId(call).id, output }));
  if (outputs.length === 0) return undefined;
  const answered = answersIn(events);
  if (!outputs.every(({ id, output }) => answered.get(id) === output)) return undefined;
  return events.find((event) => event.type === "result" && outputs.every(({ id }) => event.ids?.includes(id)))?.seq;
}

/** The outputs of the calls of the client, by the ids of the calls. */
function answersIn(events: readonly StoredEvent[]): ReadonlyMap<string, unknown> {
  const calls = new Map<string, string>();
  const answers = new Map<string, unknown>();
  for (const event of events) {
    if (event.type !== "record") continue;
    if (event.kind === "question" && event.data.client) calls.set(event.data.id, event.data.call);
    if (event.kind !== "answer") continue;
    const call = calls.get(event.data.question);
    const { output } = Object(event.data.content) as { output?: unknown };
    if (call !== undefined && !answers.has(call)) answers.set(call, output);
  }
  return answers;
}
