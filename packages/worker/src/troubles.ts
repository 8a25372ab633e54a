import { failureOf } from "@cogency/agent/failure";
import type { Key } from "@cogency/storage";
import type { FailingConversations, ParkedByWorker, WorkerEvent } from "./worker.ts";

interface Trouble {
  message: string;
  /** The conversations that have it, each with the time by which it should have been tried again, by `performance.now()`. */
  until: Map<string, number>;
}

/**
 * Makes the listener that a worker has without `on`: it prints each new trouble as one line, and no trouble twice while it lasts.
 *
 * @param print Defaults to `console.error`.
 */
export function troubleLog(
  print: (line: string) => void = (line) => console.error(line),
): (event: WorkerEvent) => void {
  const troubles = new Troubles();
  return (event) => {
    const line = troubles.see(event);
    const owner = event.claim ? ` ${oneLine(event.claim.owner)}` : "";
    if (line !== undefined) print(`cogency worker${owner}: ${line}`);
  };
}

/** What is wrong, as one worker has seen it. */
export class Troubles {
  readonly #failing = new Map<string, Trouble>();
  readonly #parked = new Map<string, ParkedByWorker>();
  /** When each failure of the store or the dispatcher was seen last. */
  readonly #seen = new Map<string, number>();

  /** Takes an event of the worker. Returns a line about it, without an end, if it brings a trouble that is new. */
  see(event: WorkerEvent): string | undefined {
    switch (event.type) {
      case "claimed":
        this.#parked.delete(idOf(event.claim.key));
        return undefined;
      case "attended":
        return this.#attended(event);
      case "parked":
        put(this.#parked, idOf(event.claim.key), { key: event.claim.key, reason: oneLine(event.reason) }, 100);
        this.#forget(event.claim.key);
        return `parked ${nameOf(event.claim.key)}: ${oneLine(event.reason)}`;
      case "trouble": {
        const what = `${doings[event.doing]}: ${messageOf(event.error)}`;
        const now = performance.now();
        const before = this.#seen.get(what) ?? Number.NEGATIVE_INFINITY;
        put(this.#seen, what, now, 100);
        return now - before < quietTime ? undefined : what;
      }
    }
  }

  get failing(): FailingConversations[] {
    this.#prune();
    return [...this.#failing].map(([code, { message, until }]) => ({ code, message, conversations: until.size }));
  }

  get parked(): ParkedByWorker[] {
    return [...this.#parked.values()];
  }

  #attended({ claim, result, verdict }: Extract<WorkerEvent, { type: "attended" }>): string | undefined {
    const { key, claimedAt } = claim;
    this.#prune();
    const failure = failureOf(result);
    if (!failure) {
      if (!result.error) this.#forget(key);
      return undefined;
    }
    const { code } = failure;
    const message = sentence(oneLine(result.error?.message ?? ""));
    const known = this.#failing.get(code);
    const trouble = known ?? { message, until: new Map() };
    trouble.message = message;
    const wait = verdict.type === "later" ? verdict.at - claimedAt : 0;
    put(trouble.until, idOf(key), performance.now() + wait + quietTime, 1000);
    this.#failing.set(code, trouble);
    if (known) return undefined;
    const then = verdict.type === "later" ? " It is tried again by itself." : "";
    return `${nameOf(key)} fails (${code}): ${message}${then}`;
  }

  #forget(key: Key): void {
    for (const { until } of this.#failing.values()) until.delete(idOf(key));
    this.#prune();
  }

  /** Forgets conversations that another worker has tried since, or that were deleted. */
  #prune(): void {
    const now = performance.now();
    for (const [code, { until }] of this.#failing) {
      for (const [name, time] of until) if (time < now) until.delete(name);
      if (until.size === 0) this.#failing.delete(code);
    }
  }
}

/** Milliseconds without a trouble after which it is new again. */
const quietTime = 60_000;

const doings = {
  claim: "the store does not say what is due",
  settle: "the store does not take what became of a conversation",
  dispatch: "the dispatcher fails",
} as const;

/** Keeps at most so many: the latest. */
function put<Value>(map: Map<string, Value>, name: string, value: Value, most: number): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

function idOf({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}

/** For a log that others read: users are not named. */
function nameOf({ conversation }: Key): string {
  return JSON.stringify(oneLine(conversation).slice(0, 100));
}

function messageOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Without control characters, of which a server or a name may have some: nobody forges a line, or colours it. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 500);
}
