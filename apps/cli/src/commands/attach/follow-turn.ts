import { setTimeout } from "node:timers/promises";
import type { Store, StoredEvent } from "@cogency/storage";
import { isRunAtWork } from "../../place/store/run-at-work.ts";

/** Milliseconds without an event, after which somebody looks whether a run is still at work. */
const quiet = 500;

export interface TurnListener {
  event(event: StoredEvent): Promise<void>;
  /** No run is at work: nothing more comes until one begins. Called again after later events. */
  idle(): void;
}

/** Follows a conversation from the last message of a person on, until `signal` aborts or the conversation is deleted. */
export async function followTurn(
  store: Store,
  conversation: string,
  listener: TurnListener,
  signal: AbortSignal,
): Promise<void> {
  const key = { conversation };
  const words = await store.load(key, { types: ["user"] });
  const from = words.findLast((event) => event.type === "user" && event.origin === undefined)?.seq ?? 1;
  const ended = new AbortController();
  let seen = from - 1;
  let isIdle = false;
  let heardAt = 0;

  const lookForRun = async () => {
    while (!signal.aborted && !ended.signal.aborted) {
      if (!isIdle && performance.now() - heardAt >= quiet && !(await isRunAtWork(store, conversation))) {
        const last = (await store.load(key, { last: 1 })).at(-1)?.seq ?? seen;
        isIdle = last === seen;
        if (isIdle) listener.idle();
      }
      await setTimeout(isIdle ? quiet : quiet / 2);
    }
  };
  const looking = lookForRun();
  try {
    for await (const event of store.follow(key, { after: seen, signal })) {
      await listener.event(event);
      seen = event.seq;
      isIdle = false;
      heardAt = performance.now();
    }
  } finally {
    ended.abort();
    await looking;
  }
}
