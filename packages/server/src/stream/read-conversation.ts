import type { View } from "../view/view.ts";
import type { Frame, Frames } from "./event-stream.ts";
import { type ConversationReading, readItems } from "./read-items.ts";

/** Reads what one reader gets of a conversation: stored events under their numbers, and between them the pieces of what a run is writing. */
export function readConversation({ view, ...reading }: ConversationReading & { view: View }, after: number): Frames {
  const items = readItems(reading, after);

  async function next(): Promise<Frame | undefined> {
    for (;;) {
      const { done, value: item } = await items.next();
      if (done) return undefined;
      if (item.type === "pieces") {
        const shown = view.pieces(item.pieces);
        if (shown.length > 0) return { text: `event: pieces\ndata: ${JSON.stringify(shown)}\n\n`, at: item.at };
      } else {
        const { seq } = item.event;
        const shown = view.event(item.event);
        if (shown) return { text: `id: ${seq}\ndata: ${JSON.stringify(shown)}\n\n`, at: seq };
      }
    }
  }

  return { next, close: async () => void (await items.return()) };
}
