import { emptyView, type Part, type Piece, type View, withEvent, withPieces } from "@cogency/protocol/parts";
import type { Key, Store } from "@cogency/storage";

/** A screen in another process: it merges the stored events with the pieces, each of which comes at its own time. */
export interface Screen {
  /** What it has shown, in order. */
  readonly shown: readonly View["parts"][];
  /** Resolves when it has all stored events up to this one. */
  caughtUp(seq: number): Promise<void>;
  close(): Promise<void>;
}

/** @param delay waited for before each event and each piece is taken */
export function openScreen(store: Store, key: Key, delay: () => Promise<void>): Screen {
  const closing = new AbortController();
  const { signal } = closing;
  const shown: (readonly Part[])[] = [];
  let view: View = emptyView;
  let held: Piece[] = [];
  let waiting: { seq: number; resolve: () => void } | undefined;

  /** A piece is taken only after the events that were stored when it was sent. */
  const take = (change: () => View) => {
    const before = view;
    view = change();
    while (held[0] && held[0].seq <= view.seq) view = withPieces(view, [held.shift() as Piece]);
    if (view.parts !== before.parts) shown.push(view.parts);
    if (waiting && view.seq >= waiting.seq) waiting.resolve();
  };
  const events = (async () => {
    for await (const event of store.follow(key, { signal })) {
      await delay();
      take(() => withEvent(view, event));
    }
  })();
  const pieces = (async () => {
    for await (const some of store.live.follow(key, { signal })) {
      await delay();
      held = [...held, ...some];
      take(() => view);
    }
  })();
  return {
    shown,
    caughtUp: (seq) =>
      new Promise((resolve) => {
        waiting = { seq, resolve };
        take(() => view);
      }),
    async close() {
      closing.abort();
      await Promise.all([events, pieces]);
    },
  };
}
