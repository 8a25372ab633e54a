import { pause } from "@cogency/protocol/testkit";
import type { Store } from "@cogency/storage";
import type { Stop } from "../../dispatcher.ts";
import { wakingStore } from "../../waking-store.ts";
import type { Subject } from "../case.ts";
import type { OpenedDispatcher } from "../tested-dispatcher.ts";

/** A handler that claims what is due, and counts. */
export class Looker {
  /** How often the handler was called. */
  calls = 0;
  /** The highest number of calls at one time. */
  most = 0;
  /** The conversations that it has claimed. */
  readonly claimed: string[] = [];
  readonly #store: Store;
  readonly #during: () => Promise<unknown>;
  #open = 0;

  /** @param during what a call does between the claim and its end */
  constructor(store: Store, during: () => Promise<unknown>) {
    this.#store = store;
    this.#during = during;
  }

  async look(): Promise<void> {
    this.calls++;
    this.most = Math.max(this.most, ++this.#open);
    const claims = await this.#store.claim({ owner: "the kit", limit: 1000, ttl: 3_600_000 });
    for (const { key } of claims) this.claimed.push(key.conversation);
    try {
      await this.#during();
    } finally {
      for (const claim of claims) await this.#store.done(claim);
      this.#open--;
    }
  }
}

/** Lets a looker work. It stops with the case. */
export async function startLooker(
  { afterwards, patience }: Pick<Subject, "afterwards" | "patience">,
  { store, dispatcher }: OpenedDispatcher,
  during: () => Promise<unknown> = async () => {},
): Promise<{ looker: Looker; stop: Stop }> {
  const looker = new Looker(store, during);
  const stop = await dispatcher.work(() => looker.look());
  let stopped: Promise<void> | undefined;
  const stopOnce = () => (stopped ??= stop());
  // A handler that never ends must not keep the kit.
  afterwards(() => Promise.race([stopOnce(), pause(Math.min(2000, patience))]));
  return { looker, stop: stopOnce };
}

let posts = 0;

/**
 * Makes a conversation due, and wakes a worker.
 *
 * @throws what the dispatcher throws
 */
export async function ring(
  { store, dispatcher }: OpenedDispatcher,
  conversation: string,
  { at, user }: { at?: number; user?: string | undefined } = {},
): Promise<void> {
  const failures: unknown[] = [];
  const waking = wakingStore(store, dispatcher, { onLostWake: (error) => failures.push(error) });
  await waking.post({ conversation, user }, { kind: "prompt", content: "?" }, { id: `${++posts}`, at });
  if (failures.length > 0) throw new Error(`The wake failed: ${String(failures[0])}`, { cause: failures[0] });
}
