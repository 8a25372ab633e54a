import type { Piece } from "@cogency/protocol/parts";
import type { Key, Store } from "@cogency/storage";
import { expect, vi } from "vitest";

/** Publishes units as a run does: what has grown, while somebody follows. */
export interface LiveRun {
  readonly isFollowed: boolean;
  /** All that is written of the open unit. */
  readonly open: string;
  write(text: string): void;
  close(): void;
}

export function liveRun({ live }: Store, key: Key, run = "run"): LiveRun {
  let open = "";
  const piece = (offset: number): Piece => ({ type: "text", run, seq: 0, unit: 1, offset, text: open.slice(offset) });
  const publisher = live.publisher(key, () => (open === "" ? [] : [piece(0)]));
  return {
    get isFollowed() {
      return publisher.isFollowed;
    },
    get open() {
      return open;
    },
    write(text) {
      const before = open.length;
      open += text;
      if (publisher.isFollowed) publisher.publish([piece(before)]);
    },
    close: publisher.close,
  };
}

/** Resolves when the run knows that somebody follows it. */
export function isFollowed(run: LiveRun): Promise<void> {
  return vi.waitFor(() => expect(run.isFollowed).toBe(true), { timeout: 120_000 });
}

/** Follows a conversation, and asserts that no unit has a hole. */
export interface LiveScreen {
  /** What it shows of each run. */
  readonly shown: ReadonlyMap<string, string>;
  /** Resolves when it shows all that the run has written. */
  catchesUp(run: LiveRun, name?: string): Promise<void>;
  leave(): Promise<void>;
}

export function liveScreen({ live }: Store, key: Key): LiveScreen {
  const shown = new Map<string, string>();
  const leaving = new AbortController();
  const following = (async () => {
    for await (const pieces of live.follow(key, { signal: leaving.signal })) {
      for (const piece of pieces) {
        if (piece.type !== "text") continue;
        const before = shown.get(piece.run) ?? "";
        if (piece.offset > before.length) throw new Error(`A hole at ${before.length}, before ${piece.offset}.`);
        const after = before.slice(0, piece.offset) + piece.text;
        if (after.length > before.length) shown.set(piece.run, after);
      }
    }
  })();
  following.catch(() => {});
  return {
    shown,
    async catchesUp(run, name = "run") {
      const isThere = () => expect(shown.get(name) === run.open).toBe(true);
      await vi.waitFor(isThere, { timeout: 120_000, interval: 20 });
    },
    async leave() {
      leaving.abort();
      await following;
    },
  };
}
