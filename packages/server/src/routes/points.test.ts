import type { LogEvent } from "@cogency/protocol";
import { pointsOf } from "@cogency/protocol/host";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { read, site } from "../../test/support/site.ts";

const key = { conversation: "notes" };
const said = (content: string, timestamp = 1): LogEvent => ({ type: "user", content, timestamp });
const called: LogEvent = { type: "call", content: '{"name":"a","args":{}}', id: "c", timestamp: 2 };

async function open(...log: LogEvent[]) {
  const store = memoryStore();
  if (log.length > 0) await store.append(key, log);
  const made = site({ store }, []);
  const name = (body: object) => read<Record<string, unknown>>(made.post("/conversations/notes/points", body));
  const forks = async (of = "notes") =>
    (await read<{ forks: unknown }>(made.ask(`/conversations/${of}/forks`))).body.forks;
  return { ...made, store, name, forks, points: async () => pointsOf(await store.load(key)) };
}

describe("the points of a conversation", () => {
  it("are named, moved, and taken back", async () => {
    const { name, points } = await open(said("a"), said("b"));
    expect(await name({ name: "here", at: 1 })).toMatchObject({ status: 200, body: { name: "here", at: 1 } });
    await name({ name: "here", at: 2 });
    expect(await points()).toEqual([{ name: "here", at: 2 }]);
    await name({ name: "here", at: 0 });
    expect(await points()).toEqual([]);
  });

  it("wait while a run is at work, with a proof", async () => {
    const { name, store } = await open(said("a"));
    await store.lease(key, { owner: "a run", ttl: 60_000 });
    expect(await name({ name: "here", at: 1 })).toMatchObject({ status: 202 });
    expect(await store.inbox(key)).toMatchObject([{ message: { kind: "point", content: "here", at: 1, proof: {} } }]);
  });

  it.each([
    [{ name: "a\u001b[2J", at: 1 }, "`name`"],
    [{ name: "a\nb", at: 1 }, "`name`"],
    [{ name: 7, at: 1 }, "`name`"],
    [{ name: "a" }, "`at`"],
    [{ name: "a", at: -1 }, "`at`"],
    [{ name: "a", at: 0.5 }, "`at`"],
    [{ name: "a", at: 3 }, "has 2 events"],
    [{ name: "a", at: 2 }, "between a call and its result"],
    [{ name: "a", at: 1, proof: {} }, "`proof`"],
  ])("are refused for %j: %s", async (body, message) => {
    const { name, store } = await open(said("a"), called);
    expect(await name(body)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", message: expect.stringContaining(message) },
    });
    expect(await store.load(key)).toHaveLength(2);
  });

  it("do not begin a conversation", async () => {
    const { name } = await open();
    expect(await name({ name: "a", at: 0 })).toMatchObject({ status: 404 });
  });
});

describe("the forks of a conversation", () => {
  it("are listed each after the one it was forked from, wherever one asks, and those of another user are not", async () => {
    const { agent, store, forks } = await open(said("a"), said("b"));
    await agent.fork("notes", { at: 1, as: "one" });
    await agent.fork("one", { as: "two" });
    const link: LogEvent = { type: "record", kind: "fork", data: { from: "notes", at: 1 }, timestamp: 1 };
    await store.append({ conversation: "theirs", user: "eve" }, [link, said("secret")]);
    const all = [
      { conversation: "notes", title: "a" },
      { conversation: "one", title: "a", from: "notes", at: 1 },
      { conversation: "two", title: "a", from: "one" },
    ];
    expect(await forks()).toMatchObject(all);
    expect(await forks("two")).toMatchObject(all);
    expect(JSON.stringify(await forks())).not.toContain("theirs");
  });

  it("hold those of one that was deleted, and end where logs name one another in a circle", async () => {
    const { agent, store, forks } = await open(said("a"));
    await agent.fork("notes", { as: "one" });
    await store.delete(key);
    expect(await forks("one")).toEqual([
      { conversation: "notes" },
      { conversation: "one", title: "a", updatedAt: expect.any(Number), from: "notes", at: 1 },
    ]);
    for (const [name, from] of [
      ["x", "y"],
      ["y", "x"],
    ] as const)
      await store.append({ conversation: name }, [
        { type: "record", kind: "fork", data: { from, at: 1 }, timestamp: 1 },
        said(name),
      ]);
    expect(await forks("x")).toHaveLength(2);
  });
});
