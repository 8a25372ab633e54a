import type { LogEvent } from "@cogency/protocol";
import { cleanPlaces, type Summary, summaryAt } from "./summaries.ts";

/** How a log falls into rounds: a user's message, or a step of the model with the results of its calls. */
export interface Outline {
  /** In their order. They begin at the first message, and each ends where the next one begins. */
  readonly rounds: readonly Round[];
  /** The summaries that have counted at some time, in their order; `upTo` is 0 where one was taken back. The last one counts. */
  readonly summaries: readonly Summary[];
}

interface Round {
  /** The index of its first event. */
  readonly start: number;
  /** `acted`: the step called tools, or its output was refused or corrected; the model reads what came of it in its next request. */
  readonly kind: "user" | "answer" | "acted";
}

/** Reads a log as assembly does (see `toMessages`): a round never ends inside of a turn. */
export function outlineOf(log: readonly LogEvent[]): Outline {
  const rounds: { start: number; kind: Round["kind"] }[] = [];
  const isClean = cleanPlaces(log);
  const summaries: Summary[] = [];
  let hasCalls = false;
  const close = (kind?: "acted") => {
    const last = rounds.at(-1);
    if (kind && last && last.kind !== "user") last.kind = kind;
    hasCalls = false;
  };
  log.forEach((event, index) => {
    switch (event.type) {
      case "user":
        if (isOfLoop(event.origin)) {
          // It belongs to what it follows.
          close(event.origin === "recovery" ? undefined : "acted");
          if (rounds.length > 0) return;
        }
        close();
        rounds.push({ start: index, kind: "user" });
        return;
      case "result":
      case "cancelled":
        if (hasCalls) close("acted");
        return;
      case "record": {
        const summary = event.kind === "summary" && summaryAt(index, event.data, isClean);
        if (summary) summaries.push(summary);
        if (event.kind === "rejected") close("acted");
        if (event.kind !== "native") return;
        break;
      }
      case "call":
        hasCalls = true;
        break;
    }
    if (isClean[index]) rounds.push({ start: index, kind: "answer" });
  });
  return { rounds, summaries };
}

/** Where the last round begins that the model has to read: it has not seen what stands from there on. */
export function unreadFrom({ rounds }: Outline): number {
  let last = rounds.length - 1;
  while (last > 0 && rounds[last]?.kind === "user" && rounds[last - 1]?.kind !== "answer") last--;
  return rounds[last]?.start ?? 0;
}

function isOfLoop(origin: string | undefined): boolean {
  return origin === "nudge" || origin === "notice" || origin === "recovery";
}
