import { emptyView, type Piece, type View, withEvent, withPieces } from "@cogency/protocol/parts";
import type { Key, Store } from "@cogency/storage";

/** A screen that merges the stored events of a conversation with what its runs are writing. */
export interface Screen {
  readonly view: View;
  /** Resolves when it shows this. */
  shows(isSo: (view: View) => boolean): Promise<void>;
  close(): Promise<void>;
}

export function openScreen(store: Store, key: Key): Screen {
  const closing = new AbortController();
  const { signal } = closing;
  const waiting = new Set<() => void>();
  let view: View = emptyView;
  let held: Piece[] = [];
  const take = (next: View) => {
    view = next;
    // A piece is taken only after the events that were stored when it was sent.
    while (held[0] && held[0].seq <= view.seq) view = withPieces(view, [held.shift() as Piece]);
    for (const look of waiting) look();
  };
  const events = (async () => {
    for await (const event of store.follow(key, { signal })) take(withEvent(view, event));
  })();
  const pieces = (async () => {
    for await (const some of store.live.follow(key, { signal })) {
      held = [...held, ...some];
      take(view);
    }
  })();
  return {
    get view() {
      return view;
    },
    shows: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isSo(view)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      closing.abort();
      await Promise.all([events, pieces]);
    },
  };
}
