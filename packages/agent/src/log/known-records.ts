import type { LogEvent } from "@cogency/protocol";
import { contentIn } from "./held-content.ts";

/**
 * What a log says once and need not say again: which kinds of content the conversation holds, and the hashes of the `system` and
 * `tools` that its last `request` records carry.
 */
export type KnownRecords = ReadonlyMap<string, string>;

/** Returns the events without what the log says already, and what it says once they are stored. */
export function withoutKnown(
  events: readonly LogEvent[],
  known: KnownRecords,
): { events: readonly LogEvent[]; known: KnownRecords } {
  if (!events.some(mayBeKnown)) return { events, known };
  const next = new Map(known);
  const isNew = (what: string, value: string) => next.get(what) !== value && next.set(what, value);
  const left = events.flatMap((event) => {
    if (event.type !== "record") return event;
    if (event.kind === "content") return contentIn([event]).some(({ holds }) => isNew(holds, holds)) ? event : [];
    if (event.kind !== "request") return event;
    // A log from elsewhere may hold anything.
    const { system, tools, ...data } = event.data ?? {};
    const { hashes } = data;
    const carried = {
      ...(system !== undefined && isNew("system", hashes?.system) && { system }),
      ...(tools && isNew("tools", hashes?.tools ?? "") && { tools }),
    };
    return { ...event, data: { ...data, ...carried } };
  });
  return { events: left, known: next };
}

function mayBeKnown(event: LogEvent): boolean {
  return event.type === "record" && (event.kind === "content" || event.kind === "request");
}
