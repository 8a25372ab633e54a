import { type JsonObject, type LogEvent, missingResults } from "@cogency/protocol";
import { pointsOf } from "@cogency/protocol/host";
import type { StoredEvent } from "@cogency/storage";
import { randomId } from "./flat-text.ts";
import { cleanPlaces, summaryAt } from "./history/summaries.ts";
import { askAgain } from "./log/ask-again.ts";
import { closesCalls } from "./log/closes-calls.ts";
import { contentRecord, foreignContent } from "./log/held-content.ts";
import { isOwnLog, originRecord } from "./log/origin.ts";
import type { Settings } from "./settings.ts";

export interface ForkOptions {
  /** How many events of the log the fork begins with, 0 for none; never inside of an open batch. Defaults to all. */
  at?: number | undefined;
  /** The name of the new conversation, which has no events yet. Defaults to a random one. */
  as?: string | undefined;
  /** The owner of both conversations. */
  user?: string | undefined;
}

/**
 * Begins a conversation with the first events of another one, in one append. Its `fork` record names the other one.
 *
 * @returns its name
 * @throws RangeError, StoreError, RunError `key_ring`
 */
export async function fork(
  settings: Settings,
  conversation: string,
  { at, as = randomId(), user }: ForkOptions,
): Promise<string> {
  const { store, keyRing, scope, clock } = settings;
  const log = await askAgain(() => store.load({ conversation, user }));
  const length = checkedPoint(conversation, log, at ?? log.length);
  const key = { conversation: as, user };
  const { signal } = new AbortController();
  const timestamp = clock();
  const origin = (await originRecord(settings, key, timestamp, signal)) ?? [];
  // The fork is signed as this installation's own, and so must hold what is assumed of a log from elsewhere.
  const isOwn = await isOwnLog(log, keyRing, { conversation, user }, signal);
  const assumed = isOwn ? [] : foreignContent.map((content) => contentRecord(content, timestamp));
  const link: LogEvent = { type: "record", kind: "fork", data: { from: conversation, at: length }, timestamp };
  const head = [...origin, link, ...assumed];
  const events = [...head, ...copyOf(log, length, head.length)];
  const batch = randomId();
  try {
    await askAgain(() => store.append(key, events, { expected: 0, batch, scope }));
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "conflict") throw cause;
    throw new RangeError(`fork: the conversation ${JSON.stringify(as)} exists already; give another \`as\`.`, {
      cause,
    });
  }
  return as;
}

/** Copies the first events. A summary counts events, so it is told how many there are now. */
function copyOf(log: readonly StoredEvent[], length: number, before: number): LogEvent[] {
  const copied: LogEvent[] = [];
  const positions: number[] = [];
  const isClean = cleanPlaces(log);
  for (const { seq: _, ...event } of log.slice(0, length)) {
    positions.push(before + copied.length);
    if (event.type !== "record") copied.push(event);
    else if (event.kind === "summary") {
      // One without effect is left out: another number of events may be one that it could stand for.
      const summary = summaryAt(positions.length - 1, event.data, isClean);
      if (summary)
        copied.push({
          ...event,
          data: {
            ...(event.data as JsonObject),
            ...summary,
            upTo: summary.upTo && (positions[summary.upTo] as number),
          },
        });
    } else if (event.kind === "child") {
      // The agents go on with the conversation that has started them; what they have used counts in both.
      const { background: _, ...data } = event.data;
      if (data.used) copied.push({ ...event, data });
    } else if (!ofItsConversation.has(event.kind)) copied.push(event);
  }
  const after = [...copied, ...contentAfter(log.slice(length))];
  return [...after, ...pointsAfter(log, length, [...positions, before + copied.length])];
}

/** The points of the copied events, wherever in the log they were named. `positions` are where each place is in the copy. */
function pointsAfter(log: readonly StoredEvent[], length: number, positions: readonly number[]): LogEvent[] {
  const timestamp = log[length - 1]?.timestamp ?? 0;
  return pointsOf(log).flatMap(({ name, at }): LogEvent[] => {
    const to = at <= length ? positions[at] : undefined;
    return to ? [{ type: "record", kind: "point", data: { name, at: to }, timestamp }] : [];
  });
}

/** Records that count in one conversation only: who began it, what it is a fork of, its traces, what was asked and answered, which messages it took; its points, which
 * are counted anew. */
const ofItsConversation: ReadonlySet<string> = new Set([
  "origin",
  "fork",
  "trace",
  "approval",
  "question",
  "answer",
  "message",
  "parent",
  "point",
]);

/** What is known of the content of the last event stands after it. */
function contentAfter(rest: readonly StoredEvent[]): LogEvent[] {
  const next = rest.findIndex(({ type }) => type !== "record");
  const records = next === -1 ? rest : rest.slice(0, next);
  return records.flatMap(({ seq: _, ...event }) => (event.type === "record" && event.kind === "content" ? event : []));
}

function checkedPoint(conversation: string, log: readonly LogEvent[], at: number): number {
  const name = JSON.stringify(conversation);
  if (log.length === 0) throw new RangeError(`fork: the conversation ${name} has no events.`);
  if (!Number.isInteger(at) || at < 0 || at > log.length) {
    throw new RangeError(`fork: \`at\` is ${at}; give a number of events of ${name}, from 0 to ${log.length}.`);
  }
  if (missingResults(log.slice(0, at)).length === 0) return at;
  const before = log.slice(0, at).findLastIndex(closesCalls) + 1;
  const closing = log.slice(at).findIndex(closesCalls);
  const points = [...(before > 0 ? [before] : []), ...(closing === -1 ? [] : [at + closing + 1])];
  const advice = closing === -1 ? ` Its calls have no results yet; recover the conversation to end them.` : "";
  throw new RangeError(
    `fork: event ${at} of ${name} is inside of an open batch of calls. Allowed next to it: ${points.join(" and ")}.${advice}`,
  );
}
