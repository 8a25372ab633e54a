import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { LeaseHeldError, LeaseLostError } from "../errors.ts";
import { memoryStore } from "./memory-store.ts";

const key = { conversation: "c" };
const event: LogEvent = { type: "user", content: "x", timestamp: 1 };

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

describe("leases of memoryStore", () => {
  it("last to the millisecond by the clock of the store", async () => {
    const { store, moveTo } = clocked();
    const lease = await store.lease(key, { owner: "one", ttl: 500 });
    expect(lease).toMatchObject({ owner: "one", expiresAt: 1_500 });
    moveTo(1_499);
    await store.append(key, [event], { lease });
    await expect(store.lease(key, { owner: "two", ttl: 1 })).rejects.toEqual(new LeaseHeldError("one", 1_500));
    moveTo(1_500);
    await expect(store.append(key, [event], { lease })).rejects.toEqual(new LeaseLostError(lease.token));
    await expect(lease.renew()).rejects.toBeInstanceOf(LeaseLostError);
    expect(await store.append(key, [event])).toBe(2);
  });

  it("are renewed from the time of the call", async () => {
    const { store, moveTo } = clocked();
    const lease = await store.lease(key, { owner: "one", ttl: 500 });
    moveTo(1_400);
    await lease.renew();
    expect(lease.expiresAt).toBe(1_900);
    await lease.renew(50);
    expect(lease.expiresAt).toBe(1_450);
    moveTo(1_450);
    await expect(lease.renew()).rejects.toBeInstanceOf(LeaseLostError);
  });

  it("stay expired when the clock is set back", async () => {
    const { store, moveTo } = clocked();
    const first = await store.lease(key, { owner: "one", ttl: 500 });
    moveTo(2_000);
    const second = await store.lease(key, { owner: "two", ttl: 500 });
    moveTo(1_000);
    await expect(store.append(key, [event], { lease: first })).rejects.toBeInstanceOf(LeaseLostError);
    expect(await store.append(key, [event], { lease: second })).toBe(1);
  });

  it("cannot be renewed after the store was closed, and can be released without an error", async () => {
    const { store } = clocked();
    const lease = await store.lease(key, { owner: "one", ttl: 500 });
    await store.close();
    await expect(lease.renew()).rejects.toMatchObject({ code: "closed" });
    await lease.release();
  });
});
