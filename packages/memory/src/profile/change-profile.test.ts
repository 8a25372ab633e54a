import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { editProfile, forget, forgetAll, remember } from "./change-profile.ts";
import { profileBounds } from "./profile.ts";
import { readProfile } from "./read-profile.ts";

const words = async (store: Store) => (await readProfile(store, "ann")).profile.memories.map((memory) => memory.words);

describe("a profile that a person changes", () => {
  it("keeps what is typed on one line, and forgets it by its id", async () => {
    const store = memoryStore();
    const kept = await remember(store, "ann", { words: " Use\n tabs. ", about: "rule" }, { clock: () => 7 });
    expect(kept).toEqual({ id: kept.id, about: "rule", words: "Use tabs.", said: 7 });
    await remember(store, "ann", { words: "Be kind." });
    expect(await words(store)).toEqual(["Use tabs.", "Be kind."]);
    expect(await forget(store, "ann", [kept.id])).toEqual([kept]);
    expect(await words(store)).toEqual(["Be kind."]);
    expect((await readProfile(store, "bob")).profile.memories).toEqual([]);
  });

  it.each<[string, string]>([
    ["nothing", " \n "],
    ["too much", "x".repeat(profileBounds.words + 1)],
    ["a secret", "password: hunter2hunter2"],
    ["the same again", "Use tabs."],
  ])("refuses %s", async (_, text) => {
    const store = memoryStore();
    await remember(store, "ann", { words: "Use tabs." });
    await expect(remember(store, "ann", { words: text })).rejects.toMatchObject({ code: "invalid_memory", index: 0 });
    expect(await words(store)).toEqual(["Use tabs."]);
  });

  it("names an id that it does not have, and forgets nothing", async () => {
    const store = memoryStore();
    const { id } = await remember(store, "ann", { words: "Use tabs." });
    await expect(forget(store, "ann", [id, "zzzzzz"])).rejects.toMatchObject({ code: "unknown_memory" });
    expect(await words(store)).toEqual(["Use tabs."]);
  });

  it("keeps the order, drops what was left out, and gives what was changed another id", async () => {
    const store = memoryStore();
    const one = await remember(store, "ann", { words: "One." }, { clock: () => 1 });
    const two = await remember(store, "ann", { words: "Two." }, { clock: () => 2 });
    await remember(store, "ann", { words: "Three." }, { clock: () => 3 });
    const { version } = await readProfile(store, "ann");
    const edited = [{ ...two, words: "Two, and a half." }, one, { words: "Four." }];
    const { memories } = await editProfile(store, "ann", edited, version, { clock: () => 9 });
    expect(memories.map((memory) => [memory.words, memory.said])).toEqual([
      ["One.", 1],
      ["Two, and a half.", 9],
      ["Four.", 9],
    ]);
    expect(memories[0]?.id).toBe(one.id);
    expect(memories[1]?.id).not.toBe(two.id);
  });

  it("says which memory of an edit is wrong, and changes nothing", async () => {
    const store = memoryStore();
    const one = await remember(store, "ann", { words: "One." });
    const edit = (...edited: object[]) => editProfile(store, "ann", edited as never, 1);
    await expect(edit(one, { words: "" })).rejects.toMatchObject({ code: "invalid_memory", index: 1 });
    await expect(edit(one, one)).rejects.toMatchObject({ code: "unknown_memory", index: 1 });
    await expect(edit({ id: "zzzzzz", words: "Z." })).rejects.toMatchObject({ code: "unknown_memory", index: 0 });
    await expect(edit({ words: "Z.", about: "permission" })).rejects.toMatchObject({
      code: "invalid_memory",
      index: 0,
    });
    expect(await words(store)).toEqual(["One."]);
  });

  it("refuses an edit of a profile that has changed meanwhile", async () => {
    const store = memoryStore();
    await remember(store, "ann", { words: "One." });
    await remember(store, "ann", { words: "Two." });
    await expect(editProfile(store, "ann", [], 1)).rejects.toMatchObject({ code: "conflict" });
  });

  it("changes at once from many sides without losing anything", async () => {
    const store = memoryStore();
    await Promise.all(["One.", "Two.", "Three."].map((text) => remember(store, "ann", { words: text })));
    expect((await words(store)).sort()).toEqual(["One.", "Three.", "Two."]);
  });

  it("lets the oldest that was learned go first, then the oldest that was typed", async () => {
    const store = memoryStore();
    const learned = { id: "aaaaaa", about: "rule", words: "Learned.", said: 99, from: { conversation: "c", seq: 1 } };
    await store.saveProfile("ann", { schema: 1, memories: [learned], learnedUntil: 99 });
    for (let at = 0; at <= profileBounds.memories; at++)
      await remember(store, "ann", { words: `Number ${at}.` }, { clock: () => at });
    const left = await words(store);
    expect(left).toHaveLength(profileBounds.memories);
    expect(left[0]).toBe("Number 1.");
    expect(left).not.toContain("Learned.");
  });
});

describe("a profile of others", () => {
  const foreign = [5, [], {}, { schema: 0 }, { schema: 1, memories: [{}], learnedUntil: 0 }, { theme: "dark" }];

  it.each(foreign.map((profile) => [JSON.stringify(profile), profile] as const))(
    "is not changed: %s",
    async (_, profile) => {
      const store = memoryStore();
      await store.saveProfile("ann", profile as never);
      for (const change of [
        () => readProfile(store, "ann"),
        () => remember(store, "ann", { words: "Use tabs." }),
        () => forget(store, "ann", ["aaaaaa"]),
        () => editProfile(store, "ann", [], 1),
      ])
        await expect(change()).rejects.toMatchObject({ code: "foreign_profile" });
      expect(await store.loadProfile("ann")).toEqual({ profile, version: 1 });
    },
  );

  it("of a newer version is not changed either, but forgotten on demand", async () => {
    const store = memoryStore();
    await store.saveProfile("ann", { schema: 2 });
    await expect(remember(store, "ann", { words: "Use tabs." })).rejects.toMatchObject({ code: "newer_profile" });
    await forgetAll(store, "ann", { clock: () => 5 });
    expect((await readProfile(store, "ann")).profile).toEqual({ schema: 1, memories: [], learnedUntil: 5 });
  });
});
