import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { forgetAll, readProfile, remember } from "../index.ts";
import type { Memory } from "./profile.ts";
import { profileBounds } from "./profile.ts";

const memory = (at: number, more: Partial<Memory> = {}): Memory => ({
  id: `m${String(at).padStart(5, "0")}`,
  about: "rule",
  words: "Be kind.",
  said: at,
  ...more,
});

const reading = async (memories: readonly unknown[], schema = 1) => {
  const store = memoryStore();
  await store.saveProfile(undefined, { schema, memories, learnedUntil: 0 } as never);
  return { store, read: readProfile(store, undefined) };
};

describe("a profile that others wrote", () => {
  it.each<[string, readonly unknown[]]>([
    ["has more memories than a profile may", Array.from({ length: profileBounds.memories + 1 }, (_, at) => memory(at))],
    ["has words that are too long", [memory(1, { words: "x".repeat(profileBounds.words + 1) })]],
    ["has more bytes than a profile may", [memory(1, { scope: "/".repeat(profileBounds.bytes) })]],
    ["has a million memories", Array.from({ length: 1_000_000 }, () => 0)],
    ["has an id twice", [memory(1), memory(1)]],
    ["has an id that is none", [memory(1, { id: "__proto__" })]],
    ["has a topic that allows something", [{ ...memory(1), about: "permission" }]],
    ["has a place that is none", [{ ...memory(1), from: { conversation: "c", seq: "1" } }]],
  ])("is refused if it %s, and is not changed; all of it can be forgotten", async (_, memories) => {
    const { store, read } = await reading(memories);
    await expect(read).rejects.toMatchObject({ code: "foreign_profile" });
    await expect(remember(store, undefined, { words: "Use tabs." })).rejects.toMatchObject({ code: "foreign_profile" });
    expect((await store.loadProfile(undefined))?.version).toBe(1);
    await forgetAll(store, undefined);
    expect((await readProfile(store, undefined)).profile.memories).toEqual([]);
  });

  it("with a later schema is refused as such, whatever it holds, and is not changed", async () => {
    const { store, read } = await reading([{ of: "tomorrow" }], 2);
    await expect(read).rejects.toMatchObject({ code: "newer_profile" });
    await expect(remember(store, undefined, { words: "Use tabs." })).rejects.toMatchObject({ code: "newer_profile" });
    expect((await store.loadProfile(undefined))?.version).toBe(1);
  });
});

it("a memory about a project whose scope would take the room of the others is not kept", async () => {
  const store = memoryStore();
  const scope = "/".repeat(profileBounds.bytes);
  const typed = { words: "It is in Rust.", about: "project", scope } as const;
  await expect(remember(store, undefined, typed)).rejects.toMatchObject({ code: "invalid_memory" });
});
