import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { bigMemoryCases } from "../../test/support/memory-cases.ts";
import { memoryStore } from "./memory-store.ts";

describe("memoryStore", () => {
  for (const { name, run } of bigMemoryCases) it(name, run);

  it("stores nothing of a batch with an event whose JSON is too long", async () => {
    const store = memoryStore();
    const key = { conversation: "c" };
    const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });
    // Six characters of JSON each, and together more than a string can hold.
    const batch = [said("before"), said("\u0001".repeat(90_000_000))];
    await store.append(key, [said("first")]);
    await expect(store.append(key, batch, { batch: "b" })).rejects.toMatchObject({
      name: "InvalidEventError",
      code: "invalid_event",
      index: 1,
      type: "user",
    });
    expect(await store.load(key)).toMatchObject([{ content: "first", seq: 1 }]);
    expect(await store.conversations()).toMatchObject([{ events: 1 }]);
  });
});
