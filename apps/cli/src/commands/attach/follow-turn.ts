import { setTimeout } from "node:timers/promises";
import type { Piece } from "@cogency/protocol/parts";
import type { Store, StoredEvent } from "@cogency/storage";
import { isRunAtWork } from "../../place/store/run-at-work.ts";

/** Milliseconds without an event, after which somebody looks whether a run is still at work. */
const quiet = 500;

export interface TurnListener {
  event(event: StoredEvent): Promise<void>;
  /** Hears what the run is writing. If it is absent, attach follows stored events only, and the run makes no pieces for it. */
  pieces?(pieces: readonly Piece[]): void;
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
  let nextEvent = Promise.withResolvers<void>();

  const heard = () => {
    isIdle = false;
    heardAt = performance.now();
  };
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
  const followPieces = async () => {
    for await (const pieces of store.live.follow(key, { signal: AbortSignal.any([signal, ended.signal]) })) {
      // Meanwhile the follower joins the pieces that come, and has a bound.
      for (let rest = pieces; rest.length > 0 && !ended.signal.aborted; await nextEvent.promise) {
        const end = rest.findIndex(({ seq }) => seq > seen);
        const released = end < 0 ? rest : rest.slice(0, end);
        rest = end < 0 ? [] : rest.slice(end);
        if (released.length > 0) listener.pieces?.(released);
        heard();
        if (rest.length === 0) break;
      }
    }
  };
  const others = [lookForRun(), ...(listener.pieces ? [followPieces()] : [])];
  try {
    for await (const event of store.follow(key, { after: seen, signal })) {
      await listener.event(event);
      seen = event.seq;
      heard();
      nextEvent.resolve();
      nextEvent = Promise.withResolvers();
    }
  } finally {
    ended.abort();
    nextEvent.resolve();
    await Promise.all(others);
  }
}
