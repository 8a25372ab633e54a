import assert from "node:assert/strict";
import type { LogEvent } from "@cogency/protocol";
import type { Key, StoredEvent } from "@cogency/storage";

/** The conversation that all writers append to. */
export const sharedKey: Key = { conversation: "shared", user: "ada" };

/** The conversations that only this writer appends to, to the second under a lease. */
export function ownKeys(writer: string): readonly [Key, Key] {
  return [{ conversation: `${writer} first`, user: "ada" }, { conversation: `${writer} second` }];
}

/** A batch whose content follows from its unique name, which is one word of a search. */
export function batchOf(name: string, count: number): LogEvent[] {
  return Array.from({ length: count }, (_, index): LogEvent => {
    const long = index % 7 === 3 ? ` ${"long text ".repeat(500)}` : "";
    return { type: "user", content: `${name} ${index + 1} of ${count}${long}`, timestamp: 1_700_000_000 + index };
  });
}

/**
 * The batches in a log, each with the number of its last event, in order.
 *
 * @throws AssertionError if a batch is incomplete or stored twice
 */
export function batchesIn(events: readonly StoredEvent[], where: string): Map<string, number> {
  const found = new Map<string, number>();
  for (let start = 0; start < events.length; ) {
    const first = events[start];
    const content = first && "content" in first ? first.content : "";
    const [, name = "", count = ""] = /^(\S+) 1 of (\d+)/.exec(content) ?? [];
    assert.ok(name, `${where}: no batch begins at event ${start + 1}`);
    const whole = batchOf(name, Number(count)).map((event, index) => ({ ...event, seq: start + index + 1 }));
    assert.deepEqual(events.slice(start, start + whole.length), whole, `${where}: batch ${name} is not whole`);
    assert.ok(!found.has(name), `${where}: batch ${name} is there twice`);
    start += whole.length;
    found.set(name, start);
  }
  return found;
}
