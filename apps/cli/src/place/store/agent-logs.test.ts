import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { agentLogs } from "./agent-logs.ts";

const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 1 }) as unknown as LogEvent;
const child = (conversation: string, call: string) => record("child", { call, agent: "a", conversation });
const parent = (conversation: string, call: string) =>
  record("parent", { conversation, call, root: "c", agents: ["a"] });

/** A store with these logs. */
async function storeWith(logs: Readonly<Record<string, LogEvent[]>>) {
  const store = memoryStore();
  for (const [conversation, events] of Object.entries(logs)) await store.append({ conversation }, events);
  return store;
}

it("reads the conversations of agents and of those that they have started, callers first", async () => {
  const logs = {
    c: [child("one", "1"), child("two", "2"), child("one", "1")],
    one: [parent("c", "1"), child("deep", "1")],
    two: [parent("c", "2")],
    deep: [parent("one", "1")],
  };
  const found = await agentLogs(await storeWith(logs), { conversation: "c" }, logs.c);
  expect([...found.keys()]).toEqual(["one", "two", "deep"]);
});

it("reads none that does not name its caller, none twice, and no circle", async () => {
  const logs = {
    c: [
      child("other", "1"),
      child("forged", "1"),
      child("gone", "2"),
      child("c", "3"),
      child("one", "4"),
      record("child", 5),
    ],
    other: [record("title", { text: "A secret" })],
    forged: [parent("c", "9")],
    one: [parent("c", "4"), child("c", "1"), child("one", "1")],
  };
  const found = await agentLogs(await storeWith(logs), { conversation: "c" }, logs.c);
  expect([...found.keys()]).toEqual(["one"]);
});
