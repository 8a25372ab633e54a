import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { type ForkNode, forkTree } from "./fork-tree.ts";

type Stored = Awaited<ReturnType<typeof storeOf>>;

async function treeOf(store: Stored, conversation: string): Promise<ForkNode> {
  return forkTree(store, { conversation }, await store.conversations({ limit: 1000 }));
}

async function storeOf(links: Record<string, unknown>) {
  const store = memoryStore();
  let timestamp = 0;
  for (const [conversation, data] of Object.entries(links)) {
    timestamp++;
    const origin = { type: "record", kind: "origin", data: { proof: { key: "k", mac: "m" } }, timestamp } as LogEvent;
    const link = { type: "record", kind: "fork", data, timestamp } as LogEvent;
    const said: LogEvent = { type: "user", content: conversation, timestamp };
    await store.append({ conversation }, data === undefined ? [said, said] : [origin, link, said]);
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
  expect(namesOf(await treeOf(await storeOf(forks), from))).toEqual(expected);
});

it("says when each was forked, and what is known of it", async () => {
  const tree = await treeOf(await storeOf(forks), "lost");
  expect(tree).toMatchObject({ summary: undefined, forkedAt: undefined });
  expect(tree.forks[0]).toMatchObject({ summary: { title: "lost" }, forkedAt: 6, at: 2 });
});

it("ends where logs from elsewhere name one another in a circle, and ignores what is no name", async () => {
  const store = await storeOf({
    a: { from: "b", at: 1 },
    b: { from: "a", at: 1 },
    c: { from: 7 },
    d: null,
    e: { from: "e" },
  });
  expect(JSON.stringify(namesOf(await treeOf(store, "a"))).match(/"[ab]"/g)).toHaveLength(2);
  for (const name of ["c", "d", "e"]) expect(namesOf(await treeOf(store, name))).toEqual({ [name]: {} });
});

it("holds a thousand forks, each of the one before, and all of one", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [`n${n}`, n ? { from: `n${n - 1}` } : undefined]),
  );
  const fan = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`n${n}`, n ? { from: "n0" } : undefined]));
  const sizeOf = ({ forks }: ForkNode): number => forks.reduce((sum, fork) => sum + sizeOf(fork), 1);
  for (const links of [chain, fan]) {
    const store = await storeOf(links);
    const summaries = [...(await store.conversations({ limit: 500 }))];
    summaries.push(...(await store.conversations({ limit: 500, before: summaries.at(-1)?.conversation })));
    expect(sizeOf(await forkTree(store, { conversation: "n500" }, summaries))).toBe(1000);
  }
});

it("reads the beginning of each log once, and again where another conversation has got the name", async () => {
  const memory = await storeOf(forks);
  const read: string[] = [];
  const store: Stored = Object.assign(Object.create(memory), {
    load: (...given: Parameters<Stored["load"]>) => {
      read.push(given[0].conversation);
      return memory.load(...given);
    },
  });
  const first = await treeOf(store, "deep");
  expect(read.toSorted()).toEqual(Object.keys(forks).toSorted());
  expect(await treeOf(store, "deep")).toEqual(first);
  expect(read).toHaveLength(Object.keys(forks).length);
  await memory.delete({ conversation: "second" });
  const link = { type: "record", kind: "fork", data: { from: "other", at: 1 }, timestamp: 99 } as LogEvent;
  await memory.append({ conversation: "second" }, [link, { type: "user", content: "second", timestamp: 99 }]);
  expect(namesOf(await treeOf(store, "deep"))).toEqual({ root: { first: { deep: {} } } });
  expect(namesOf(await treeOf(store, "other"))).toEqual({ other: { second: {} } });
  expect(read.slice(Object.keys(forks).length)).toEqual(["second"]);
});

it("reads the logs of one user alone", async () => {
  const store = memoryStore();
  const link: LogEvent = { type: "record", kind: "fork", data: { from: "root", at: 1 }, timestamp: 1 };
  await store.append({ conversation: "fork", user: "ada" }, [link]);
  await store.append({ conversation: "fork" }, [{ type: "user", content: "mine", timestamp: 1 }]);
  expect((await forkTree(store, { conversation: "fork" }, [])).conversation).toBe("fork");
  expect((await forkTree(store, { conversation: "fork", user: "ada" }, [])).conversation).toBe("root");
});
