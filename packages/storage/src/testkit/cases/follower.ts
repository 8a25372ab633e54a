import { assertEqual, within } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import type { FollowOptions, Store, StoredEvent } from "../../store.ts";
import { key } from "../samples/events.ts";

export interface Follower {
  /** The next event; undefined at the end. */
  next(): Promise<StoredEvent | undefined>;
  gives(events: readonly StoredEvent[]): Promise<void>;
  givesNumbers(expected: readonly number[]): Promise<void>;
  ends(): Promise<void>;
  leave(): Promise<void>;
}

/** Follows a conversation and asserts what comes next. Rejects if it does not come in time. */
export function followerOf(store: Store, patience: number, options?: FollowOptions, followed: Key = key): Follower {
  const events = store.follow(followed, options)[Symbol.asyncIterator]();
  const next = () => {
    const event = within(events.next(), patience, "No event reached the follower").then((result) =>
      result.done ? undefined : result.value,
    );
    // A case that has failed no longer awaits this: the rejection must not end the process.
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
      await within(Promise.resolve(events.return?.()), patience, "Leaving the iteration did not end");
    },
  };
}

/** The whole numbers from `first` to `last`. */
export function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
