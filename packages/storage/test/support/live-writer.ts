import type { Piece } from "@cogency/protocol/parts";
import type { Key, Live } from "../../src/index.ts";

/** Writes units of one run, and publishes what has grown, as an agent does. */
export function writer(live: Live, key: Key, run: string) {
  /** The texts of all units, by run and number. */
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
    write(count: number) {
      const before = open.length;
      for (let index = 0; index < count; index++) open += String.fromCharCode(97 + (open.length % 26));
      written.set(`${run} ${unit}`, open);
      if (publisher.isFollowed) publisher.publish([piece(before)]);
    },
    settle() {
      unit += 1;
      open = "";
    },
  };
}
