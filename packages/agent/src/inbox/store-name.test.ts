import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { storeName } from "./store-name.ts";

const key = { conversation: "c" };
const point = { kind: "point", content: "here", at: 1 } as const;

async function begun() {
  const store = memoryStore();
  await store.append(key, [{ type: "user", content: "a", timestamp: 1 }]);
  return store;
}

it("stores a name at once where nobody holds the log", async () => {
  const store = await begun();
  const send = () => Promise.reject(new Error("sent"));
  expect(await storeName(store, key, point, send)).toBe("stored");
  expect(await storeName(store, key, { kind: "title", content: "T" }, send)).toBe("stored");
  expect((await store.load(key)).slice(1)).toMatchObject([
    { type: "record", kind: "point", data: { name: "here", at: 1 } },
    { type: "record", kind: "title", data: { text: "T" } },
  ]);
});

it("sends it where a run holds the log, which stays as it is", async () => {
  const store = await begun();
  await store.lease(key, { owner: "a run", ttl: 60_000 });
  const sent: unknown[] = [];
  expect(await storeName(store, key, point, async (name) => void sent.push(name))).toBe("sent");
  expect(sent).toEqual([point]);
  expect(await store.load(key)).toHaveLength(1);
});

it("throws what else the store throws, and sends nothing", async () => {
  const store = { ...(await begun()), append: () => Promise.reject(new Error("The disk is full.")) };
  await expect(storeName(store, key, point, () => Promise.reject(new Error("sent")))).rejects.toThrow("disk is full");
});
