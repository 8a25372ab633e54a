import type { Piece } from "@cogency/protocol/parts";
import { assert, assertEqual, pause, within } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import type { Live, LiveOptions } from "../../live.ts";
import { key } from "../samples/events.ts";
import { type PieceWriter, unitName } from "./piece-writer.ts";

/** Follows the pieces of a conversation, and asserts what it reads. */
export interface PieceReader {
  /** Reads the pieces of one moment. */
  next(what: string): Promise<readonly Piece[]>;
  /** Reads until it has all that the writer has open. */
  catchesUp(writer: Pick<PieceWriter, "run" | "unit" | "open">, what: string): Promise<void>;
  /** What it has read of every unit, by run and number. */
  readonly texts: ReadonlyMap<string, string>;
  ends(what: string): Promise<void>;
  /** Asserts that nothing is yielded for a moment. Then only `leave` may be called. */
  isQuiet(what: string): Promise<void>;
  leave(): Promise<void>;
}

/** @param followed defaults to the conversation that most cases write to */
export function pieceReader(live: Live, patience: number, options?: LiveOptions, followed: Key = key): PieceReader {
  const moments = live.follow(followed, options)[Symbol.asyncIterator]();
  const texts = new Map<string, string>();
  const pull = (what: string) => handled(within(moments.next(), patience, `No piece reached the follower ${what}`));
  const next = (what: string) =>
    handled(
      pull(what).then(({ done, value }) => {
        if (done) throw new Error(`The iteration must not end ${what}.`);
        for (const piece of value) addPiece(texts, piece);
        return value;
      }),
    );
  return {
    texts,
    next,
    async catchesUp({ run, unit, open }, what) {
      const read = () => texts.get(unitName(run, unit)) ?? "";
      while (read().length < open.length) await next(what);
      assertEqual(read() === open, true, `whether what the follower shows is what is open, ${what}`);
    },
    ends(what) {
      const end = async (): Promise<void> => {
        for (;;) if ((await pull(what)).done) return;
      };
      return handled(end());
    },
    async isQuiet(what) {
      let isYielded = false;
      moments.next().then(
        ({ done }) => {
          isYielded = done !== true;
        },
        () => {},
      );
      await pause(100);
      assert(!isYielded, `Nothing must be yielded ${what}.`);
    },
    async leave() {
      await within(Promise.resolve(moments.return?.()), patience, "Leaving the iteration did not end");
    },
  };
}

/** A case that has failed no longer awaits what it began: the rejection must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Adds a piece to the texts of units. Throws at a hole, and if it says something else than an earlier one. */
export function addPiece(texts: Map<string, string>, piece: Piece): void {
  if (piece.type === "progress") return;
  const name = unitName(piece.run, piece.unit);
  const before = texts.get(name) ?? "";
  assert(
    piece.offset <= before.length,
    `A piece of unit ${piece.unit} begins at ${piece.offset}, but the follower has ${before.length} characters of it.`,
  );
  const overlap = before.slice(piece.offset, piece.offset + piece.text.length);
  assert(piece.text.startsWith(overlap), `A piece of unit ${piece.unit} changes what an earlier one has said.`);
  const after = before.slice(0, piece.offset) + piece.text;
  if (after.length >= before.length) texts.set(name, after);
}
