import type { Recording } from "./play.ts";

/** Ids that a run draws at random: of calls and of questions, batches and leases. */
const randomId = /\bcall_[A-Za-z0-9]{20}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/**
 * Replaces random ids by numbered ones, in the order in which the log first names them, then the other lists. A log of
 * numbered ids may be continued: new ids get higher numbers.
 */
export function withoutRandomIds(recording: Recording): Recording {
  const names = new Map<string, string>();
  let last = 0;
  for (const line of recording.log) {
    for (const [, number] of line.matchAll(/\bid(\d+)\b/g)) last = Math.max(last, Number(number));
  }
  const renamed = (lines: string[]) =>
    lines.map((line) =>
      line.replace(randomId, (id) => {
        const name = names.get(id) ?? `id${++last}`;
        names.set(id, name);
        return name;
      }),
    );
  const { log, events, requests, trace, operations } = recording;
  return {
    log: renamed(log),
    events: renamed(events),
    requests: renamed(requests),
    trace: renamed(trace),
    operations: renamed(operations),
  };
}
