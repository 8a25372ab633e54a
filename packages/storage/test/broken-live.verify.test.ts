import type { Piece } from "@cogency/protocol/parts";
import { describe } from "vitest";
import type { Key, Live, Store } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

type Pieces = readonly Piece[];

const defects: Defect[] = [
  ["gives nothing of what is open to who joins", /what is open from its beginning/, wholes(() => [])],
  [
    "gives the end of what is open to who joins",
    /what is open from its beginning/,
    wholes((pieces) => pieces.slice(0, 1).map((piece) => changed(piece, (text) => text.slice(1)))),
  ],
  [
    "begins with what is written after a follower has joined",
    /what is open from its beginning|stand behind a hole/,
    following(async function* (moments) {
      await moments.next();
      yield* moments;
    }),
  ],
  [
    "gives the pieces of one moment one by one",
    /those of one moment together/,
    following(async function* (moments) {
      for await (const pieces of moments) for (const piece of pieces) yield [piece];
    }),
  ],
  [
    "repairs texts that are cut within a character",
    /every kind of piece unchanged/,
    published((pieces) => pieces.map((piece) => changed(piece, (text) => text.toWellFormed()))),
  ],
  [
    "leaves out an empty piece",
    /every kind of piece unchanged/,
    published((pieces) => pieces.filter((piece) => !("text" in piece) || piece.text !== "")),
  ],
  [
    "leaves out pieces of progress",
    /every kind of piece unchanged/,
    published((pieces) => pieces.filter(({ type }) => type !== "progress")),
  ],
  [
    "cuts large pieces",
    /frames of 100,000 characters/,
    published((pieces) => pieces.map((piece) => changed(piece, (text) => text.slice(0, 65_536)))),
  ],
  [
    "loses every fifth frame and never heals it",
    /come and go|from its beginning/,
    (store) => {
      let frame = 0;
      const { live } = store;
      const dropping = { ...live, publisher: (key: Key) => live.publisher(key, () => []) };
      return published((pieces) => (++frame % 5 === 0 ? [] : pieces))({ ...store, live: dropping });
    },
  ],
  [
    "gives pieces of a user to another one",
    /whatever their names are/,
    keyed(({ conversation }) => ({ conversation: `${conversation} ` })),
  ],
  [
    "joins the names of user and conversation to one",
    /whatever their names are/,
    keyed(({ conversation, user }) => ({ conversation: `${user ?? ""}/${conversation}` })),
  ],
  [
    "serves only the first follower",
    /come and go|what is open from its beginning/,
    (store) => {
      let isFirst = true;
      return changing(store, {
        follow(key, options) {
          const followed = isFirst ? key : { conversation: "nobody writes here" };
          isFirst = false;
          return store.live.follow(followed, options);
        },
      });
    },
  ],
  [
    "keeps all that a slow follower does not pull",
    /drops what a slow follower does not pull/,
    following(async function* (moments) {
      const waiting: Pieces[] = [];
      let woken = () => {};
      void (async () => {
        for await (const pieces of moments) {
          waiting.push(pieces);
          woken();
        }
      })();
      for (;;) {
        if (waiting.length === 0) await new Promise<void>((resolve) => (woken = resolve));
        yield waiting.splice(0).flat();
      }
    }),
  ],
  ["says that nobody follows", /know whether anybody follows/, isFollowed(() => false)],
  ["says that somebody always follows", /know whether anybody follows/, isFollowed(() => true)],
  [
    "publishes after the end of a publisher",
    /silent after their end/,
    (store) => changing(store, { publisher: (key, whole) => ({ ...store.live.publisher(key, whole), close() {} }) }),
  ],
  [
    "throws what a callback throws",
    /stands behind a hole/,
    (store) =>
      changing(store, {
        publisher(key, whole) {
          const publisher = store.live.publisher(key, whole);
          return {
            get isFollowed() {
              return publisher.isFollowed;
            },
            publish(pieces) {
              whole();
              publisher.publish(pieces);
            },
            close: () => publisher.close(),
          };
        },
      }),
  ],
  [
    "throws when it publishes in a closed store",
    /end when the store is closed/,
    (store) => {
      let isClosed = false;
      return {
        ...published((pieces) => {
          if (isClosed) throw new Error("closed");
          return pieces;
        })(store),
        async close() {
          isClosed = true;
          await store.close();
        },
      };
    },
  ],
  [
    "does not end followers when it is closed",
    /end when the store is closed/,
    following(async function* (moments) {
      yield* moments;
      await new Promise(() => {});
    }),
  ],
  [
    "ignores the signal of a follower",
    /ends when its signal is aborted/,
    (store) => changing(store, { follow: (key) => store.live.follow(key) }),
  ],
  [
    "counts a follower that has left",
    /ends when its signal is aborted|know whether anybody follows/,
    (store) =>
      changing(store, {
        follow(key, options) {
          void store.live.follow(key)[Symbol.asyncIterator]().next();
          return store.live.follow(key, options);
        },
      }),
  ],
  [
    "stores what is published",
    /live stores nothing/,
    (store) =>
      changing(store, {
        publisher(key, whole) {
          void store.append(key, [{ type: "user", content: "an umbrella", timestamp: 1 }]);
          return store.live.publisher(key, whole);
        },
      }),
  ],
  [
    "ends followers when the conversation is deleted",
    /live stores nothing/,
    (store) => {
      const deleted = new AbortController();
      return {
        ...changing(store, { follow: (key) => store.live.follow(key, { signal: deleted.signal }) }),
        async delete(key) {
          deleted.abort();
          return store.delete(key);
        },
      };
    },
  ],
];

describe("the kit notices a store that", () => notice(defects));

function changing({ live }: Store, change: Partial<Live>): Partial<Store> {
  return { live: { ...live, ...change } };
}

/** Changes what is published. */
function published(change: (pieces: Pieces) => Pieces) {
  return (store: Store) =>
    changing(store, {
      publisher(key, whole) {
        const publisher = store.live.publisher(key, whole);
        return {
          get isFollowed() {
            return publisher.isFollowed;
          },
          publish: (pieces) => publisher.publish(change(pieces)),
          close: () => publisher.close(),
        };
      },
    });
}

/** Changes what who joins gets of what is open. */
function wholes(change: (pieces: Pieces) => Pieces) {
  return (store: Store) =>
    changing(store, { publisher: (key, whole) => store.live.publisher(key, () => change(whole())) });
}

/** Changes the iteration of a follower. */
function following(change: (moments: AsyncIterableIterator<Pieces>) => AsyncIterable<Pieces>) {
  return (store: Store) =>
    changing(store, {
      follow(key, options) {
        const moments = store.live.follow(key, options)[Symbol.asyncIterator]();
        return change({ ...bound(moments), [Symbol.asyncIterator]: () => bound(moments) });
      },
    });
}

function bound(moments: AsyncIterator<Pieces>): AsyncIterableIterator<Pieces> {
  const iterator: AsyncIterableIterator<Pieces> = {
    next: () => moments.next(),
    return: async () => (await moments.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** Takes another key for a key. */
function keyed(change: (key: Key) => Key) {
  return (store: Store) =>
    changing(store, {
      publisher: (key, whole) => store.live.publisher(change(key), whole),
      follow: (key, options) => store.live.follow(change(key), options),
    });
}

function isFollowed(answer: () => boolean) {
  return (store: Store) =>
    changing(store, {
      publisher(key, whole) {
        const publisher = store.live.publisher(key, whole);
        return { isFollowed: answer(), publish: (pieces) => publisher.publish(pieces), close: () => publisher.close() };
      },
    });
}

function changed(piece: Piece, change: (text: string) => string): Piece {
  return "text" in piece ? { ...piece, text: change(piece.text) } : piece;
}
