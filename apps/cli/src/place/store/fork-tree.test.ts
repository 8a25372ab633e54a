import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { type ForkNode, forkTree } from "./fork-tree.ts";

async function storeOf(links: Record<string, unknown>) {
  const store = memoryStore();
  let timestamp = 0;
  for (const [conversation, data] of Object.entries(links)) {
    timestamp++;
    const origin = { type: "record", kind: "origin", data: { proof: { key: "k", mac: "m" } }, timestamp } as LogEvent;
    const link = { type: "record", kind: "fork", data, timestamp } as LogEvent;
    const said: LogEvent = { type: "user", content: conversation, timestamp };
    await store.append({ conversation }, data === undefined ? [said] : [origin, link, said]);
  }
  return store;
}

type Names = { [name: string]: Names };

function namesOf({ conversation, forks }: ForkNode): Names {
  return { [conversation]: Object.assign({}, ...forks.map(namesOf)) };
}

const forks = {
  root: undefined,
  other: undefined,
  first: { from: "root", at: 1 },
  second: { from: "root", at: 1 },
  deep: { from: "first", at: 2 },
  lost: { from: "deleted", at: 2 },
  found: { from: "deleted", at: 2 },
};

it.each([
  ["the forks of the one that all come from", "deep", { root: { first: { deep: {} }, second: {} } }],
  ["the same from the root", "root", { root: { first: { deep: {} }, second: {} } }],
  ["one without forks alone", "other", { other: {} }],
  ["those of one that was deleted", "lost", { deleted: { lost: {}, found: {} } }],
  ["a conversation that is not stored yet", "new", { new: {} }],
])("has %s", async (_, from, expected) => {
  expect(namesOf(await forkTree(await storeOf(forks), from))).toEqual(expected);
});

it("says when each was forked, and what is known of it", async () => {
  const tree = await forkTree(await storeOf(forks), "lost");
  expect(tree).toMatchObject({ summary: undefined, forkedAt: undefined });
  expect(tree.forks[0]).toMatchObject({ summary: { title: "lost" }, forkedAt: 6 });
});

it("ends where logs from elsewhere name one another in a circle, and ignores what is no name", async () => {
  const store = await storeOf({
    a: { from: "b", at: 1 },
    b: { from: "a", at: 1 },
    c: { from: 7 },
    d: null,
    e: { from: "e" },
  });
  expect(JSON.stringify(namesOf(await forkTree(store, "a"))).match(/"[ab]"/g)).toHaveLength(2);
  for (const name of ["c", "d", "e"]) expect(namesOf(await forkTree(store, name))).toEqual({ [name]: {} });
});
