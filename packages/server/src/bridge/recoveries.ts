import type { Agent, RunResult } from "@cogency/agent";
import { failureOf } from "@cogency/agent/failure";
import { partsOf } from "@cogency/protocol/parts";
import { isLeaseHeldError, isStoreError, type Key, type Store } from "@cogency/storage";
import { recentEvents } from "../conversation/recent-events.ts";
import type { TurnEnding } from "./turn-item.ts";

/**
 * What came of one try to go on with a conversation.
 *
 * - `held`: a run is at work on it elsewhere; `until` is when it ends unless it goes on, in Unix milliseconds
 * - `ended`: nothing is to be done now
 * - `broken`: its run failed or was stopped, and does not go on by itself
 */
export type Recovery =
  | { readonly type: "held"; readonly until?: number }
  | { readonly type: "ended"; readonly status: "completed" | "waiting" | "nothing" | "parked" }
  | { readonly type: "broken"; readonly ending: TurnEnding };

type Listener = (recovery: Recovery) => void;

/** Goes on with conversations in the background, one run of each at a time. */
export class Recoveries {
  readonly #agent: Pick<Agent, "recover">;
  readonly #store: Pick<Store, "load" | "inbox">;
  readonly #working = new Map<string, { isDueAgain: boolean }>();
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(agent: Pick<Agent, "recover">, store: Pick<Store, "load" | "inbox">) {
    this.#agent = agent;
    this.#store = store;
  }

  isWorking(key: Key): boolean {
    return this.#working.has(nameOf(key));
  }

  /**
   * Goes on with a conversation; once more after the run that is at work here, which may have read its inbox for the last time.
   *
   * @param onError hears why a run failed
   */
  begin(key: Key, onError: (error: unknown) => void): void {
    const name = nameOf(key);
    const working = this.#working.get(name);
    if (working) working.isDueAgain = true;
    else void this.#work(key, name, onError);
  }

  /** Hears what comes of the tries from now on. Returns what ends that. */
  listen(key: Key, listener: Listener): () => void {
    const name = nameOf(key);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners) this.#listeners.delete(name);
    };
  }

  async #work(key: Key, name: string, onError: (error: unknown) => void): Promise<void> {
    const working = { isDueAgain: false };
    this.#working.set(name, working);
    let recovery: Recovery;
    do {
      working.isDueAgain = false;
      recovery = await this.#recover(key, onError);
    } while (working.isDueAgain);
    this.#working.delete(name);
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(recovery);
  }

  /** Never rejects. */
  async #recover(key: Key, onError: (error: unknown) => void): Promise<Recovery> {
    try {
      if (await isParked(this.#store, key)) return { type: "ended", status: "parked" };
      const result = await this.#agent.recover({ ...key, leaveCancelled: true }).result;
      const recovery = recoveryOf(result);
      if (recovery.type === "broken" && result.error) onError(result.error);
      return recovery;
    } catch (error) {
      onError(error);
      return { type: "broken", ending: { status: "failed", ...unknownFailure } };
    }
  }
}

function nameOf({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}

/** Nobody goes on with a parked conversation but whoever released it; a cancel releases it. */
async function isParked(store: Pick<Store, "load" | "inbox">, key: Key): Promise<boolean> {
  const last = partsOf(await recentEvents(store, key)).at(-1);
  if (last?.type !== "notice" || !last.open || !last.parked) return false;
  return !(await store.inbox(key)).some(({ message }) => message.kind === "cancel");
}

function recoveryOf(result: RunResult): Recovery {
  const { status, stop, error } = result;
  if (status === "stopped") return { type: "broken", ending: { status, code: stop.reason, message: stop.message } };
  if (!error) return { type: "ended", status };
  if (error.code === "nothing_to_recover") return { type: "ended", status: "nothing" };
  if (isLeaseHeldError(error.cause)) return { type: "held", until: error.cause.expiresAt };
  const cause = isStoreError(error.cause) ? error.cause.code : undefined;
  // Another run holds the conversation, or has taken it over from this one.
  if (error.code === "busy" || (error.code === "store" && ofAnotherRun.has(cause))) return { type: "held" };
  const failure = failureOf(result);
  const { code, message } = failure ? { code: failure.code, message: failure.says } : failureOfStore(error.code);
  return { type: "broken", ending: { status: "failed", code, message } };
}

const ofAnotherRun: ReadonlySet<unknown> = new Set(["lease_lost", "conflict"]);

const unknownFailure = { code: "internal", message: "The run failed inside this service." };

function failureOfStore(code: string) {
  if (code !== "store" && code !== "not_stored") return unknownFailure;
  return { code: "store", message: "This service cannot store the conversation now." };
}
