import { Problem } from "@cogency/server";
import type { Visit } from "@cogency/server/bridge";
import { AgUiRun } from "../out/ag-ui-run.ts";
import { framesOf, type Tell } from "./frames.ts";

/**
 * `GET prefix/THREAD?runId=RUN`: the messages of a conversation, and what goes on in it. With `Last-Event-ID`, the messages until there,
 * and the events of all that has come since.
 */
export async function followRun(visit: Visit, threadId: string, tell: Tell): Promise<Response> {
  const key = visit.keyOf(threadId);
  const { events, state, last } = await visit.read(key);
  if (last === 0 && state === "idle") throw new Problem("not_found", "There is no such conversation.");
  const after = lastEventOf(visit.request) ?? last;
  if (after > last)
    throw new Problem(
      "conflict",
      "This reader has seen more events than the conversation has: it was deleted. Read it without `Last-Event-ID`.",
    );
  const run = new AgUiRun({ threadId, runId: visit.url.searchParams.get("runId") || `follow-${after}` });
  run.remember(events.filter(({ seq }) => seq <= after).map((event) => ({ type: "event", event })));
  return visit.stream(framesOf(run, { events: run.start(), seq: after }, visit.turn(key, { after }), tell));
}

function lastEventOf({ headers }: Request): number | undefined {
  const given = headers.get("last-event-id");
  if (given === null) return undefined;
  const after = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(after))
    throw new Problem("invalid_request", "`Last-Event-ID` is the number of an event.");
  return after;
}
