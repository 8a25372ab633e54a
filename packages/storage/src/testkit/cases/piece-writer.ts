import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "../../key.ts";
import type { Live } from "../../live.ts";

export interface PieceWriter {
  readonly run: string;
  /** The number of the open unit. */
  readonly unit: number;
  /** What is written of the open unit. */
  readonly open: string;
  /** What was written of every unit, by its run and number. */
  readonly written: ReadonlyMap<string, string>;
  readonly isFollowed: boolean;
  /** Writes a text to the open unit and publishes it. */
  write(text: string): void;
  /** The open unit is stored, and the next one begins. */
  settle(): void;
  close(): void;
}

/** Writes units of one run and publishes what has grown, as an agent does. */
export function pieceWriter(live: Live, key: Key, run = "run"): PieceWriter {
  const written = new Map<string, string>();
  let unit = 1;
  let open = "";
  const piece = (offset: number): Piece => ({ type: "text", run, seq: 0, unit, offset, text: open.slice(offset) });
  const publisher = live.publisher(key, () => (open === "" ? [] : [piece(0)]));
  return {
    run,
    written,
    get unit() {
      return unit;
    },
    get open() {
      return open;
    },
    get isFollowed() {
      return publisher.isFollowed;
    },
    write(text) {
      const before = open.length;
      open += text;
      written.set(unitName(run, unit), open);
      publisher.publish([piece(before)]);
    },
    settle() {
      unit += 1;
      open = "";
    },
    close: () => publisher.close(),
  };
}

export function unitName(run: string, unit: number): string {
  return `${run} ${unit}`;
}
