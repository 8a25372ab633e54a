import type { LogEvent } from "@cogency/protocol";
import { pointsOf } from "@cogency/protocol/host";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { markPoint, unmarkPoint } from "./mark-point.ts";

const key = { conversation: "c" };
const said: LogEvent = { type: "user", content: "Fix it", timestamp: 1 };
const call: LogEvent = { type: "call", content: '{"name":"a","args":{}}', id: "call_1", timestamp: 1 };

async function storeOf(...log: LogEvent[]) {
  const store = memoryStore();
  await store.append(key, log);
  return store;
}

it("names the end or another point, moves a name, and takes it back", async () => {
  const store = await storeOf(said, { type: "respond", content: "yes", timestamp: 1 }, said);
  const points = async () => pointsOf(await store.load(key));
  expect(await markPoint(key, "  the\nstart ", store, "2")).toEqual(['Named: "the start", after 2 events.']);
  await markPoint(key, "end", store);
  expect(await points()).toEqual([
    { name: "the start", at: 2 },
    { name: "end", at: 4 },
  ]);
  expect(await markPoint(key, "end", store, "the start")).toEqual(['Moved: "end", after 2 events.']);
  expect(await unmarkPoint(key, "end", store)).toEqual(['No point is named "end" any more.']);
  expect(await points()).toEqual([{ name: "the start", at: 2 }]);
  await expect(unmarkPoint(key, "end", store)).rejects.toThrow('No point of the conversation is named "end".');
});

it.each([
  ["12", "means another point"],
  ["undo_x", "means another point"],
  ["a\u202eb", "1 to 60 visible characters"],
  ["x".repeat(61), "1 to 60 visible characters"],
  [" ", "1 to 60 visible characters"],
])("refuses the name %j", async (name, message) => {
  const store = await storeOf(said);
  await expect(markPoint(key, name, store)).rejects.toThrow(message);
  expect(await store.load(key)).toHaveLength(1);
});

it("names the point before calls that have no results, and not one between them", async () => {
  const store = await storeOf(said, call);
  expect(await markPoint(key, "here", store)).toEqual(['Named: "here", after 1 event.']);
  await expect(markPoint(key, "there", store, "2")).rejects.toThrow("Event 2 is between a call and its result");
});

it("is sent to a run that is at work, with a proof", async () => {
  const store = await storeOf(said);
  await store.lease(key, { owner: "a run", ttl: 60_000 });
  expect((await markPoint(key, "here", store)).at(-1)).toMatch(/^A run is at work/);
  expect(await store.inbox(key)).toMatchObject([{ message: { kind: "point", content: "here", at: 1, proof: {} } }]);
});

it("has nothing to name in a conversation without events", async () => {
  await expect(markPoint(key, "here", memoryStore())).rejects.toThrow("Nothing was said yet");
});
