import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { workerLines } from "./worker-lines.ts";

it("the lines of the workers name who runs what and why, what waits since when, and how what is parked is released", async () => {
  const time = { now: 1_000_000 };
  const store = memoryStore({ clock: () => time.now });
  const lines = async () =>
    workerLines(await store.queue(), await store.parked(), { columns: 80, dim: (text) => text });
  expect(await lines()).toEqual(["Nothing waits."]);
  await store.wake({ conversation: "one" }, { id: "tea", at: 0 });
  await store.wake({ conversation: "two", user: "ada\u001b[2J" }, { id: "tea", at: 1 });
  await store.claim({ owner: "dead", limit: 2, ttl: 1 });
  time.now += 10;
  await store.claim({ owner: "b", limit: 2, ttl: 60_000 });
  await store.wake({ conversation: "it's" }, { id: "tea", at: 2 });
  const [bad] = await store.claim({ owner: "a", limit: 1, ttl: 60_000 });
  if (bad) await store.park(bad, "5 workers\nin a row");
  await store.wake({ conversation: "waits" }, { id: "tea", at: time.now });
  await store.wake({ conversation: "fails" }, { id: "tea", at: 3 });
  const [failing] = await store.claim({ owner: "a", limit: 1, ttl: 60_000 });
  if (failing) await store.defer(failing, time.now + 330_000);
  time.now += 30_000;
  const text = (await lines()).join("\n");
  expect(text).toMatch(/^1 conversation waits, the longest for 30 s\.\nb runs 2 conversations\n/);
  expect(text).toContain("attempt 2");
  expect(text).toContain("\nfails is tried again in 5 min\n");
  expect(text).toContain("it's is parked: 5 workers in a row\n  cogency workers release 'it'\\''s'");
  expect(text).not.toContain("\u001b");
});
