import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { InvalidEventError } from "../errors.ts";
import { memoryStore } from "../memory/memory-store.ts";
import { redactingStore } from "./redacting-store.ts";

const key = { conversation: "c" };
const said = (content: string): LogEvent => ({ type: "user", timestamp: 1, content });

describe("redactingStore", () => {
  it("keeps secrets out of the store, its titles, its searches and its profiles", async () => {
    const inner = memoryStore();
    const store = redactingStore(inner);
    await store.append(key, [said("API_KEY=abc123 is the key to the beach house")]);
    await store.saveProfile("me", { name: "Me", logins: [{ password: "hunter2" }] });

    const everything = JSON.stringify([
      await inner.load(key),
      await inner.conversations(),
      await inner.search("beach", { user: undefined }),
      await inner.loadProfile("me"),
    ]);
    expect(everything).not.toMatch(/abc123|hunter2/);
    expect(everything.match(/\[redacted\]/g)).toHaveLength(4);
    expect(await store.load(key)).toEqual(await inner.load(key));
  });

  it("keeps messages as they were posted while they wait, and redacts what an append makes of them", async () => {
    const inner = memoryStore();
    const store = redactingStore(inner);
    const content = "API_KEY=abc123 is the key";
    await store.post(key, { kind: "prompt", content }, { id: "a" });
    expect(await inner.inbox(key)).toMatchObject([{ id: "a", message: { content } }]);
    await store.append(key, [said(content)], { takes: ["a"] });
    expect(await inner.inbox(key)).toEqual([]);
    expect(await inner.load(key)).toMatchObject([{ content: "API_KEY=[redacted] is the key" }]);
  });

  it("publishes nothing of what a run writes, and follows what others publish", async () => {
    const inner = memoryStore();
    const store = redactingStore(inner);
    const piece = { type: "text" as const, run: "r", seq: 0, unit: 1, offset: 0, text: "API_KEY=abc123" };
    const publisher = store.live.publisher(key, () => [piece]);
    const first = inner.live.follow(key)[Symbol.asyncIterator]().next();
    publisher.publish([piece]);
    expect(publisher.isFollowed).toBe(false);
    inner.live.publisher(key, () => []).publish([{ ...piece, text: "of another" }]);
    expect((await first).value).toMatchObject([{ text: "of another" }]);
    await store.close();
    for await (const _ of store.live.follow(key)) expect.unreachable();
  });

  it("accepts another redactor", async () => {
    const store = redactingStore(memoryStore(), (text) => text.replaceAll("Ada", "A."));
    await store.append(key, [said("Ada asks.")]);
    expect(await store.load(key)).toMatchObject([{ content: "A. asks." }]);
  });

  it.each<[string, (text: string) => string]>([
    ["throws", () => JSON.parse("no JSON")],
    ["returns no string", () => undefined as unknown as string],
  ])("stores nothing with a redactor that %s", async (_, redact) => {
    const inner = memoryStore();
    const store = redactingStore(inner, (text) => (text === "second" ? redact(text) : text));
    const failure = await store.append(key, [said("first"), said("second")]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidEventError);
    expect(failure).toMatchObject({ index: 1, type: "user", cause: expect.any(Error) });
    await expect(store.saveProfile("me", ["second"])).rejects.toMatchObject({ code: "invalid_profile" });
    expect(await inner.load(key)).toEqual([]);
    expect(await inner.loadProfile("me")).toBeNull();
  });

  it("ignores changes that the writer makes to a batch after the call", async () => {
    const store = redactingStore(memoryStore());
    const event = { type: "user" as const, timestamp: 1, content: "before" };
    const appended = store.append(key, [event]);
    event.content = "after";
    await appended;
    expect(await store.load(key)).toMatchObject([{ content: "before" }]);
  });
});
