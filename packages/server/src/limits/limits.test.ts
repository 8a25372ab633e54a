import { afterEach, describe, expect, it, vi } from "vitest";
import { read, reading, site } from "../../test/support/site.ts";
import type { LimitOptions } from "../limit-options.ts";
import type { Authenticate } from "../user.ts";

afterEach(() => void vi.useRealTimers());

const authenticate: Authenticate = ({ headers }) => ({ id: headers.get("x-session") ?? "ada" });
const bob = { "x-session": "bob" };
const limited = (limits: LimitOptions) => site({ authenticate, limits });
const refused = (code: string, seconds: string) => ({
  status: 429,
  headers: { "retry-after": seconds },
  body: { code, message: expect.stringContaining(`Try again in ${seconds} s.`) },
});
const prompt = (id: string) => ({ id, kind: "prompt", content: "hi" });

describe("limits", () => {
  it("bound the requests of a user in a minute, at every address, and not those of another one", async () => {
    vi.useFakeTimers();
    const { ask } = limited({ requests: 6 });
    for (const path of ["/conversations", "/conversations/notes/messages", "/nowhere"])
      for (let time = 0; time < 2; time++) expect((await ask(path)).status).not.toBe(429);
    expect(await read(ask("/conversations/notes/events"))).toMatchObject(refused("too_many_requests", "10"));
    expect(await read(ask("/nowhere"))).toMatchObject(refused("too_many_requests", "10"));
    expect((await ask("/conversations", { headers: bob })).status).toBe(200);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ask("/conversations")).status).toBe(200);
  });

  it("bound the streams that a user has open, however each of them ends", async () => {
    vi.useFakeTimers();
    const { store, ask, errors } = limited({ streams: 1 });
    const key = { conversation: "notes", user: "ada" };
    const leaving = new AbortController();
    const follow = async (init?: RequestInit) => {
      const response = await ask("/conversations/notes/events", init);
      expect(response.status).toBe(200);
      return reading(response);
    };
    const isFull = async () =>
      expect(await read(ask("/conversations/notes/events"))).toMatchObject(refused("too_many_streams", "5"));

    const left = await follow();
    await isFull();
    await (await follow({ headers: bob })).leave();
    await left.leave();

    // The reader has gone, and read nothing.
    await follow({ signal: leaving.signal });
    await isFull();
    leaving.abort();
    await (await follow({ signal: leaving.signal })).next();

    const deleted = await follow();
    await store.append(key, [{ type: "user", content: "one", timestamp: 1 }]);
    for (let at = 0; at < 2; at++) await deleted.next();
    await isFull();
    await store.delete(key);
    expect(await deleted.next()).toBe(undefined);

    await follow();
    await isFull();
    await vi.advanceTimersByTimeAsync(3_600_000);

    vi.spyOn(store, "follow").mockImplementationOnce(() => {
      throw new Error("no");
    });
    const failed = await follow();
    await failed.next();
    await isFull();
    await expect(failed.next()).rejects.toThrow("no");
    await (await follow()).leave();
    expect(errors).toEqual([expect.objectContaining({ message: "no" })]);
  });

  it("bound the messages that wait in an inbox, and leave room to cancel", async () => {
    const { agent, post } = limited({ waiting: 2 });
    const send = (body: object, path = "/conversations/notes/messages") => read(post(path, body));
    const statuses = [];
    for (const body of [prompt("1"), { ...prompt("2"), kind: "steer" }, prompt("1")])
      statuses.push((await send(body)).status);
    expect(statuses).toEqual([202, 202, 202]);
    expect(await send(prompt("3"))).toMatchObject(refused("too_many_messages", "5"));
    for (const id of ["4", "5"]) expect((await send({ id, kind: "cancel" })).status).toBe(202);
    expect(await send({ id: "6", kind: "cancel" })).toMatchObject(refused("too_many_messages", "5"));
    expect((await send(prompt("3"), "/conversations/others/messages")).status).toBe(202);
    expect((await post("/conversations/notes/messages", prompt("3"), bob)).status).toBe(202);
    await agent.sweep();
    expect((await send(prompt("3"))).status).toBe(202);
  });

  it("bound the messages that wait also when many come at one moment, but for a few", async () => {
    const { store, post } = limited({ waiting: 2 });
    const all = Array.from({ length: 100 }, (_, id) => post("/conversations/notes/messages", prompt(`${id}`)));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(2 + 16);
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
    const waiting = await store.inbox({ conversation: "notes", user: "ada" });
    expect(waiting).toHaveLength(statuses.filter((status) => status === 202).length);
  });

  it("bound the conversations that are begun in an hour, by messages and as forks", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { store, post } = limited({ conversations: 2 });
    await store.append({ conversation: "old", user: "ada" }, [{ type: "user", content: "one", timestamp: 1 }]);
    const send = (conversation: string, id: string, headers = {}) =>
      read(post(`/conversations/${conversation}/messages`, prompt(id), headers));
    for (const [conversation, id] of [
      ["one", "1"],
      ["one", "1"],
      ["one", "2"],
      ["old", "1"],
    ] as const)
      expect((await send(conversation, id)).status).toBe(202);
    expect((await post("/conversations/old/fork", {})).status).toBe(201);
    expect(await send("two", "1")).toMatchObject(refused("too_many_conversations", "1800"));
    expect(await read(post("/conversations/old/fork", {}))).toMatchObject(refused("too_many_conversations", "1800"));
    expect(await store.inbox({ conversation: "two", user: "ada" })).toEqual([]);
    expect((await send("old", "2")).status).toBe(202);
    expect((await send("two", "1", bob)).status).toBe(202);
    vi.advanceTimersByTime(1_800_000);
    expect((await send("two", "1")).status).toBe(202);
  });

  it("are off with Infinity, and refuse what is no number of things", async () => {
    const none = Number.POSITIVE_INFINITY;
    const { store, ask, post } = limited({ requests: none, streams: none, waiting: none, conversations: none });
    const inbox = vi.spyOn(store, "inbox");
    const streams = [];
    for (let at = 0; at < 100; at++) {
      streams.push(reading(await ask("/conversations/notes/events")));
      expect((await post(`/conversations/${at}/messages`, prompt("1"))).status).toBe(202);
    }
    expect(inbox).not.toHaveBeenCalled();
    await Promise.all(streams.map((stream) => stream.leave()));
    for (const limit of [0, -1, 1.5, Number.NaN])
      expect(() => limited({ waiting: limit })).toThrow(
        /`limits` of createHandler: `waiting` is .*give a whole number/,
      );
  });
});
