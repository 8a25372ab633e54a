import { describe, expect, it } from "vitest";
import type { InboxMessage } from "../inbox.ts";
import { memoryStore } from "./memory-store.ts";

const key = { conversation: "c" };
const message: InboxMessage = { kind: "prompt", content: "x" };
const claiming = { owner: "worker", limit: 10, ttl: 500 };

/** A store whose clock stands at 1,000 until it is moved. */
function clocked() {
  let now = 1_000;
  const store = memoryStore({ clock: () => now });
  return {
    store,
    moveTo(time: number) {
      now = time;
    },
  };
}

describe("the inbox, wakes and slots of memoryStore", () => {
  it("have the times of the clock of the store, to the millisecond", async () => {
    const { store, moveTo } = clocked();
    await store.post(key, message, { id: "now" });
    await store.post(key, message, { id: "later", at: 2_000 });
    expect(await store.inbox(key)).toEqual([{ id: "now", message, postedAt: 1_000, at: 1_000 }]);
    const [claim] = await store.claim(claiming);
    expect(claim).toEqual({
      key,
      owner: "worker",
      token: 1,
      reasons: ["inbox"],
      attempts: 1,
      claimedAt: 1_000,
      expiresAt: 1_500,
    });
    expect(claim && (await store.done(claim))).toBe(true);
    expect(await store.nextWake()).toBe(2_000);
    moveTo(1_999);
    expect([await store.claim(claiming), (await store.inbox(key)).length]).toEqual([[], 1]);
    moveTo(2_000);
    expect((await store.inbox(key)).map(({ id, postedAt, at }) => [id, postedAt, at])).toEqual([
      ["now", 1_000, 1_000],
      ["later", 1_000, 2_000],
    ]);
    expect(await store.claim(claiming)).toMatchObject([{ reasons: ["inbox"], claimedAt: 2_000 }]);
  });

  it("end claims and slots to the millisecond", async () => {
    const { store, moveTo } = clocked();
    await store.wake(key, { id: "a", at: 0 });
    const [claim] = await store.claim(claiming);
    const slot = await store.slot("name", { limit: 1, owner: "one", ttl: 500 });
    moveTo(1_499);
    expect(await store.claim(claiming)).toEqual([]);
    expect(await store.slot("name", { limit: 1, owner: "two", ttl: 500 })).toBeNull();
    moveTo(1_500);
    expect(claim && (await store.done(claim))).toBe(false);
    expect(await slot?.renew()).toBe(false);
    expect(await store.claim(claiming)).toMatchObject([{ attempts: 2, reasons: ["timer:a"] }]);
    expect(await store.slot("name", { limit: 1, owner: "two", ttl: 500 })).toMatchObject({ expiresAt: 2_000 });
  });

  it("keep a message in the inbox and due if the clock is set back after its post", async () => {
    const { store, moveTo } = clocked();
    await store.post(key, message, { id: "a" });
    moveTo(1);
    expect((await store.inbox(key)).map(({ id }) => id)).toEqual(["a"]);
    expect(await store.nextWake()).toBe(1);
    expect(await store.claim(claiming)).toMatchObject([{ reasons: ["inbox"] }]);
  });

  it("wake a watcher that waits with a timer of the machine when the clock of the store has moved", async () => {
    const { store, moveTo } = clocked();
    await store.wake(key, { id: "a", at: 1_020 });
    const yields = store.watchWakes()[Symbol.asyncIterator]();
    const next = yields.next();
    moveTo(1_020);
    expect(await next).toEqual({ done: false, value: undefined });
    await yields.return?.();
  });
});
