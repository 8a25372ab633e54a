import { leavable } from "@cogency/storage/adapter";
import { Pulled } from "../stream/pulled.ts";
import { readItems } from "../stream/read-items.ts";
import { shownItem } from "./shown-item.ts";
import type { TurnItem } from "./turn-item.ts";
import { deleted } from "./turn-look.ts";
import { TurnWatch, type Watched } from "./turn-watch.ts";

interface TurnReading extends Watched {
  scopes: ReadonlySet<string>;
  /** Ends the iteration, without an `over`. */
  leaving: AbortSignal;
}

/** Reads what comes of a turn after the event with the number `after`, until all of its messages are read and it is over. */
export function readTurn(
  reading: TurnReading,
  { after, ids = [] }: { after: number; ids?: readonly string[] },
): AsyncIterable<TurnItem> {
  return leavable(reading.leaving, (ending) => itemsOf(reading, after, ids, ending));
}

async function* itemsOf(
  reading: TurnReading,
  after: number,
  ids: readonly string[],
  ending: AbortSignal,
): AsyncGenerator<TurnItem, void, undefined> {
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const items = new Pulled(readItems(reading, after), wake);
  const watch = new TurnWatch(reading, after, ids, wake);
  let seen = after;
  ending.addEventListener("abort", wake);
  try {
    while (!ending.aborted) {
      woken = Promise.withResolvers();
      const over = watch.endingAt(seen);
      if (over) return yield { type: "over", ending: over };
      items.ask();
      const item = items.take();
      if (item?.done) return yield { type: "over", ending: deleted };
      if (!item) {
        await woken.promise;
        continue;
      }
      const { value } = item;
      if (value.type === "event") seen = value.event.seq;
      watch.see(value.type === "event" ? value.event : undefined);
      const shown = shownItem(value, reading.scopes);
      if (shown) yield shown;
    }
  } finally {
    ending.removeEventListener("abort", wake);
    watch.close();
    await items.close();
  }
}
