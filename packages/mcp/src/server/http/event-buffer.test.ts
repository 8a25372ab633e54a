import { describe, expect, it } from "vitest";
import { eventBuffer } from "./event-buffer.ts";

const message = (id: number, text = "") => ({ jsonrpc: "2.0" as const, id, result: { text } });

async function replayed(buffer: ReturnType<typeof eventBuffer>, after: string) {
  const ids: unknown[] = [];
  const stream = await buffer.replayEventsAfter(after, {
    send: async (_, sent) => void ids.push((sent as { id: number }).id),
  });
  return { stream, ids };
}

describe("the events that a session keeps", () => {
  it("are given to the stream that they belong to, after the one that it has seen", async () => {
    const buffer = eventBuffer(10_000);
    const seen = await buffer.storeEvent("one", message(1));
    await buffer.storeEvent("other", message(2));
    await buffer.storeEvent("one", message(3));
    expect(await replayed(buffer, seen)).toEqual({ stream: "one", ids: [3] });
  });

  it("are never those that only mark the beginning of a stream", async () => {
    const buffer = eventBuffer(10_000);
    const seen = await buffer.storeEvent("one", message(1));
    await buffer.storeEvent("one", {} as never);
    expect(await replayed(buffer, seen)).toEqual({ stream: "one", ids: [] });
  });

  it("are the last ones that have room: an older id is unknown, and nothing is skipped", async () => {
    const buffer = eventBuffer(300);
    const first = await buffer.storeEvent("one", message(1, "x".repeat(100)));
    await buffer.storeEvent("one", message(2, "x".repeat(100)));
    const third = await buffer.storeEvent("one", message(3, "x".repeat(100)));
    expect(await buffer.getStreamIdForEventId?.(first)).toBeUndefined();
    await expect(replayed(buffer, first)).rejects.toThrow("not kept any more");
    expect(await buffer.getStreamIdForEventId?.(third)).toBe("one");
  });

  it("are not found by an id of another session", async () => {
    const id = await eventBuffer(300).storeEvent("one", message(1));
    const other = eventBuffer(300);
    await other.storeEvent("one", message(1));
    expect(await other.getStreamIdForEventId?.(id)).toBeUndefined();
  });
});
