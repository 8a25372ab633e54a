import type { FollowOptions, Key, Store, StoredEvent } from "../../store.ts";
import { assertEqual } from "../assert.ts";
import { key } from "../samples/events.ts";
import { within } from "../within.ts";

export interface Follower {
  /** The next event; undefined at the end. */
  next(): Promise<StoredEvent | undefined>;
  gives(events: readonly StoredEvent[]): Promise<void>;
  givesNumbers(expected: readonly number[]): Promise<void>;
  ends(): Promise<void>;
  leave(): Promise<void>;
}

/** One who follows a conversation and says what is to come; what does not come in time is an error. */
export function followerOf(store: Store, patience: number, options?: FollowOptions, followed: Key = key): Follower {
  const events = store.follow(followed, options)[Symbol.asyncIterator]();
  const next = () => {
    const event = within(events.next(), patience, "Nothing came to those who follow").then((result) =>
      result.done ? undefined : result.value,
    );
    // Whoever waits for it is told; a case that has failed meanwhile waits for nothing.
    event.catch(() => {});
    return event;
  };
  const take = async (count: number) => {
    const taken: (StoredEvent | undefined)[] = [];
    while (taken.length < count) taken.push(await next());
    return taken;
  };
  return {
    next,
    gives: async (expected) => assertEqual(await take(expected.length), expected, "the events that follow"),
    async givesNumbers(expected) {
      const taken = await take(expected.length);
      assertEqual(
        taken.map((event) => event?.seq),
        expected,
        "the numbers of the events that follow",
      );
    },
    ends() {
      const end = next().then((event) => assertEqual(event, undefined, "what comes after the end"));
      end.catch(() => {});
      return end;
    },
    async leave() {
      await within(Promise.resolve(events.return?.()), patience, "Leaving did not come to its end");
    },
  };
}

/** The whole numbers from the first to the last. */
export function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
