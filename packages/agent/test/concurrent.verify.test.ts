import { memoryStore } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { hall, type Mood, problemsOf } from "./concurrent/converse.ts";

// `pnpm soak` leads 1,000 conversations at once, for 10,000 turns, and watches the heap.
const stores = { memory: memoryStore, SQLite: () => sqliteStore({ path: ":memory:" }) };
const conversations = Array.from({ length: 90 }, (_, index) => index);
const turns = 3;

describe.each(Object.entries(stores))("many conversations at once in %s", (_, openStore) => {
  it.each<Mood>(["calm", "unruly"])("do not mix, and are free when their turns are over (%s)", async (mood) => {
    const store = await openStore();
    const { talk, ends, problems } = hall(store, mood);
    for (let turn = 0; turn < turns; turn++) await Promise.all(conversations.map((index) => talk(index, turn)));
    for (const index of conversations) problems.push(...(await problemsOf(store, index, turns)));
    expect(problems).toEqual([]);
    const others = mood === "calm" ? 0 : 9;
    expect(ends).toEqual({ answered: 270 - 3 * others, cancelled: others, left: others, failed: others });
  });
});
