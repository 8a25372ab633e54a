import type { LogEvent } from "@cogency/protocol";

/** What a person said, and all that followed until the next time. */
export interface Turn {
  /** Counted from 1. */
  number: number;
  /** What the person said. */
  text: string;
  /** How many events of the log were before it. */
  at: number;
  /** When it began: Unix time in seconds. */
  time: number;
  /** The ids of its calls. */
  calls: ReadonlySet<string>;
}

export function turnsOf(events: readonly LogEvent[]): Turn[] {
  const turns: (Turn & { calls: Set<string> })[] = [];
  let isPrompt = false;
  for (const [at, event] of events.entries()) {
    if (event.type === "record") continue;
    const isByPerson = event.type === "user" && (event.origin === undefined || event.origin === "untrusted");
    // Piped text and a prompt are two events of one turn.
    if (isByPerson && !isPrompt) {
      const number = turns.length + 1;
      turns.push({ number, text: event.content, at, time: event.timestamp, calls: new Set() });
    }
    isPrompt = isByPerson;
    if (event.type === "call" && event.id !== undefined) turns.at(-1)?.calls.add(event.id);
  }
  return turns;
}

/** How many events a fork may have that ends before a call: all before the answer that made it. Undefined for an unknown call. */
export function eventsBeforeCall(events: readonly LogEvent[], id: string): number | undefined {
  const index = events.findIndex((event) => event.type === "call" && event.id === id);
  if (index === -1) return undefined;
  return events.slice(0, index).findLastIndex(({ type }) => type === "user" || type === "result") + 1;
}

/** The turn that begins at a point: nothing but records stands between them, such as that of its name. */
export function turnAt(at: number, turns: readonly Turn[], events: readonly LogEvent[]): Turn | undefined {
  const next = events.findIndex((event, index) => index >= at && event.type !== "record");
  return next === -1 ? undefined : turns.find((turn) => turn.at === next);
}
