import { isDeepStrictEqual } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import type { Received } from "./model-server.ts";

/** What must hold of every log, told as problems. Nothing here is code of the app. */

export function wordsIn(log: readonly StoredEvent[]): string[] {
  return log.flatMap((event) => (event.type === "user" && event.origin === undefined ? [event.content] : []));
}

export function problemsOf(log: readonly StoredEvent[], open: readonly string[] = []): string[] {
  const problems: string[] = [];
  for (const [at, { seq }] of log.entries()) if (seq !== at + 1) problems.push(`event ${at + 1} has the number ${seq}`);

  const called = log.flatMap((event) => (event.type === "call" ? [event.id ?? "?"] : []));
  const answered = log.flatMap((event) => (event.type === "result" ? (event.ids ?? []) : []));
  if (!isDeepStrictEqual(called, [...answered, ...open]))
    problems.push(`the calls ${called.join(" ")} have the results of ${answered.join(" ")}`);
  for (const event of log) {
    if (event.type !== "result") continue;
    const results = JSON.parse(event.content) as unknown[];
    if (results.length !== event.ids?.length) problems.push(`event ${event.seq} has ${results.length} results`);
  }

  const records = <Kind extends string>(kind: Kind) =>
    log.flatMap((event) => (event.type === "record" && event.kind === kind ? [event.data as { id: string }] : []));
  for (const kind of ["started", "finished", "message", "question"])
    for (const id of twice(records(kind).map((data) => data.id))) problems.push(`${kind} ${id} stands twice`);
  return problems;
}

function twice(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}

/** What the model reads of a log, without spaces. */
export function readingOf(log: readonly StoredEvent[]): string {
  const calls: string[] = [];
  const parts = log.flatMap((event) => {
    if (event.type === "call") calls.push(event.content);
    if (event.type === "user" || event.type === "respond") return [event.content];
    if (event.type === "result")
      return [`<execute>[${calls.splice(0).join()}]</execute><results>${event.content}</results>`];
    return [];
  });
  return withoutSpaces(parts.join(""));
}

/** What a request lets the model read, without spaces. */
export function readingIn({ messages }: Received): string {
  return withoutSpaces(
    messages
      .filter(({ role }) => role !== "system")
      .map(({ content }) => content)
      .join(""),
  );
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}

/** How two lists of events differ: nothing if they are the same. */
export function differences(what: string, seen: readonly unknown[], stored: readonly unknown[]): string[] {
  const at = seen.findIndex((event, index) => !isDeepStrictEqual(event, stored[index]));
  if (at < 0)
    return seen.length === stored.length ? [] : [`${what}: ${seen.length} events, and ${stored.length} are stored`];
  return [`${what}: event ${at + 1} is ${JSON.stringify(seen[at])}, and stored is ${JSON.stringify(stored[at])}`];
}

/** Where a reading begins to be unlike the log that is most like it. */
export function unlike(reading: string, logs: readonly string[]): string {
  const shared = (log: string) => {
    let at = 0;
    while (at < log.length && log[at] === reading[at]) at++;
    return at;
  };
  const nearest = logs.toSorted((one, other) => shared(other) - shared(one))[0] ?? "";
  const at = shared(nearest);
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 200), at + 300));
  return `A request is no log. At ${at} it goes on\n${around(reading)}\nand the log\n${around(nearest)}`;
}

export function withoutSeq({ seq: _, ...event }: StoredEvent): object {
  return event;
}

export function withoutRun({ run: _, ...event }: RunEvent): object {
  return event;
}

/** What was said and done, without what belongs to one conversation only. */
export function saidAndDone(log: readonly StoredEvent[]): object[] {
  return log.flatMap((event) => (event.type === "record" ? [] : [withoutSeq(event)]));
}

/** An export has no signatures. */
export function withoutProofs(log: readonly StoredEvent[]): StoredEvent[] {
  return log.map((event) => {
    if (event.type !== "record" || typeof event.data !== "object" || event.data === null || !("proof" in event.data))
      return event;
    const { proof: _, ...data } = event.data;
    return { ...event, data } as StoredEvent;
  });
}

/** The model that answered last. */
export function modelIn(log: readonly StoredEvent[]): string | undefined {
  return log.flatMap((event) => (event.type === "record" && event.kind === "request" ? [event.data.model] : [])).at(-1);
}
