import type { LogEvent } from "@cogency/protocol";
import { ConflictError, memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { importConversation } from "./import-conversation.ts";

const key = { conversation: "c" };
const said = (content: string): LogEvent => ({ type: "user", timestamp: 1, content });

describe("importConversation", () => {
  it("leaves nothing of a large conversation that fails half-way", async () => {
    const store = memoryStore();
    const imported = importConversation(key, store);
    for (let count = 0; count < 10_001; count++) await imported.add(said("x"));
    expect(await store.load(key, { last: 1 })).toMatchObject([{ seq: 10_000 }]);
    await expect(store.append(key, [said("in between")])).rejects.toMatchObject({ code: "lease_held" });
    await imported.abandon(new Error("the disk is full"));
    expect(await store.conversations()).toEqual([]);
    await store.append(key, [said("another")], { expected: 0 });
  });

  it("says that a part is left if it cannot be removed", async () => {
    const store = { ...memoryStore(), delete: () => Promise.reject(new Error("the disk is gone")) };
    const imported = importConversation(key, store);
    for (let count = 0; count < 10_000; count++) await imported.add(said("x"));
    await expect(imported.abandon(new Error("The disk is full."))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^The disk is full\. A part of the conversation was stored/),
    });
  });

  it("stores nothing if another process was first, and keeps that process's conversation", async () => {
    const store = memoryStore();
    const imported = importConversation(key, store);
    await imported.add(said("mine"));
    await store.append(key, [said("theirs")]);
    const failure = await imported.finish().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    await imported.abandon(failure);
    expect(await store.load(key)).toMatchObject([{ content: "theirs" }]);
  });
});
