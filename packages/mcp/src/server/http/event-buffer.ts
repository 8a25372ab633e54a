import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** Events that one session keeps at most. */
const mostEvents = 1000;

/**
 * The last events of one session, for a client that has lost a stream. An id that is of another session, or older than what is kept,
 * stands for nothing: a client never goes on past events that it has missed.
 *
 * @param most bytes, as JSON text
 */
export function eventBuffer(most: number): EventStore {
  const kept: Kept[] = [];
  const session = crypto.randomUUID().slice(0, 8);
  let count = 0;
  let size = 0;

  function shrink(): void {
    while (size > most || kept.length > mostEvents) size -= kept.shift()?.size ?? size;
  }

  return {
    async storeEvent(stream, message) {
      count++;
      const event = { id: `${session}-${count}`, stream, message, size: JSON.stringify(message).length };
      kept.push(event);
      size += event.size;
      shrink();
      return event.id;
    },
    async getStreamIdForEventId(id) {
      return kept.find((event) => event.id === id)?.stream;
    },
    async replayEventsAfter(id, { send }) {
      const from = kept.findIndex((event) => event.id === id);
      const stream = kept[from]?.stream;
      if (stream === undefined) throw new Error("The event is not kept any more.");
      const later = kept.slice(from + 1).filter((event) => event.stream === stream && "jsonrpc" in event.message);
      for (const event of later) await send(event.id, event.message);
      return stream;
    },
  };
}
