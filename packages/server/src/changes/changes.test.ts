import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { framesOf } from "../../test/support/frames.ts";
import { read, site } from "../../test/support/site.ts";
import { Look } from "./look.ts";

const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });
const of = (conversation: string, user = "ada") => ({ conversation, user });

/** A handler over a store whose looks at the list are counted. */
function open(store: Store = memoryStore()) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const looks = vi.spyOn(store, "conversations");
  const authenticate = ({ headers }: Request) => ({ id: headers.get("x-user") ?? "ada" });
  const made = site({ store, authenticate });
  const follow = async (user = "ada") => framesOf(await made.ask("/changes", { headers: { "x-user": user } }));
  return { ...made, store, looks, follow };
}

const second = () => vi.advanceTimersByTimeAsync(1000);

describe("the list as a stream of changes", () => {
  it("is at first all of it, and then what changes: a new conversation, a new event, a title, one that is deleted", async () => {
    const { store, follow } = open();
    await store.append(of("one"), [said("hello")]);
    await store.append(of("two"), [said("more")]);
    await store.append(of(`subagent-${"0".repeat(40)}`), [said("of an agent")]);
    await store.append(of("his", "bob"), [said("secret")]);
    const frames = await follow();
    const list = await store.conversations({ user: "ada" });
    const shown = list.filter(({ conversation }) => !conversation.startsWith("subagent"));
    expect(await frames.next()).toEqual({ data: { conversations: shown } });

    const next = async () => {
      const frame = frames.next();
      await second();
      return (await frame)?.data;
    };
    await store.append(of("three"), [said("new")]);
    await store.append(of("one"), [{ type: "record", kind: "title", data: { text: "Named" }, timestamp: 5 }]);
    expect(await next()).toMatchObject({
      changed: [
        { conversation: "one", title: "Named", events: 2 },
        { conversation: "three", title: "new", events: 1 },
      ],
      removed: [],
    });
    await store.delete(of("two"));
    expect(await next()).toEqual({ changed: [], removed: ["two"] });
    await frames.leave();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is looked at once a second for all readers of a user together, and not at all when nobody reads", async () => {
    const { store, looks, follow } = open();
    const readers = await Promise.all(Array.from({ length: 10 }, () => follow()));
    const others = await follow("bob");
    await Promise.all([...readers, others].map((reader) => reader.next()));
    expect(looks).toHaveBeenCalledTimes(2);
    const waiting = [...readers, others].map((reader) => reader.next());
    for (let at = 0; at < 5; at++) await second();
    expect(looks).toHaveBeenCalledTimes(12);
    await store.append(of("one"), [said("hello")]);
    await store.append(of("one", "bob"), [said("his")]);
    await second();
    expect(new Set((await Promise.all(waiting)).map((frame) => JSON.stringify(frame))).size).toBe(2);
    await Promise.all([...readers, others].map((reader) => reader.leave()));
    looks.mockClear();
    for (let at = 0; at < 5; at++) await second();
    expect([looks.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("tells at once of what its user does here", async () => {
    const { store, ask, follow } = open();
    await store.append(of("one"), [said("hello")]);
    const frames = await follow();
    await frames.next();
    const next = frames.next();
    await ask("/conversations/one", { method: "DELETE", headers: { "x-user": "ada" } });
    expect(await next).toEqual({ data: { changed: [], removed: ["one"] } });
    await frames.leave();
  });

  it("joins what a slow reader has missed, and gives the whole list to one who has missed much", async () => {
    const { store } = open();
    const look = new Look(store, "ada");
    const change = async (work: () => Promise<unknown>) => {
      await work();
      look.lookNow();
      await vi.advanceTimersByTimeAsync(0);
    };
    onTestFinished(() => look.leave(wake));
    const wake = vi.fn();
    look.join(wake);
    await vi.advanceTimersByTimeAsync(0);
    expect(look.since(0)).toEqual({ version: 1, news: [] });
    expect(look.since(1)).toBeUndefined();
    await change(() => store.append(of("one"), [said("1")]));
    await change(() => store.append(of("two"), [said("1")]));
    await change(() => store.append(of("one"), [said("2")]));
    await change(() => store.delete(of("two")));
    expect(wake).toHaveBeenCalledTimes(5);
    expect(look.since(1)).toMatchObject({
      version: 5,
      news: { changed: [{ conversation: "one", events: 2 }], removed: ["two"] },
    });
    await change(() => store.append(of("two"), [said("again")]));
    expect(look.since(4)).toMatchObject({ news: { changed: [{ conversation: "two" }], removed: [] } });
    for (let at = 0; at < 20; at++) await change(() => store.append(of("one"), [said("more")]));
    expect(look.since(6)).toMatchObject({ version: 26, news: { changed: [{ conversation: "one", events: 22 }] } });
    expect(look.since(5)).toMatchObject({ version: 26, news: [{ conversation: "one" }, { conversation: "two" }] });
  });

  it("has at most a hundred conversations; one that newer ones push out was not deleted", async () => {
    const { store, follow } = open();
    for (let at = 0; at < 100; at++) await store.append(of(`${at}`), [said("x")]);
    const frames = await follow();
    expect(await frames.next()).toMatchObject({ data: { conversations: { length: 100 } } });
    const next = frames.next();
    await store.append(of("new"), [said("x")]);
    await store.append(of("newer"), [said("x")]);
    await store.delete(of("1"));
    await second();
    expect((await next)?.data).toMatchObject({
      changed: [{ conversation: "newer" }, { conversation: "new" }],
      removed: ["1"],
    });
    await frames.leave();
  });

  it("counts as a stream, and breaks off with one word when the store fails, and ends without one when it is closed", async () => {
    const failing = memoryStore();
    const { looks, errors, follow } = open(failing);
    const frames = await follow();
    await frames.next();
    const broken = frames.next().catch(() => "broken off");
    looks.mockRejectedValueOnce(new StoreError("unavailable", "the disk burns"));
    await second();
    expect([await broken, errors]).toEqual(["broken off", [expect.objectContaining({ code: "unavailable" })]]);
    const again = await follow();
    expect(await again.next()).toMatchObject({ data: { conversations: [] } });
    const last = again.next();
    await failing.close();
    await second();
    expect([await last, errors.length]).toEqual([undefined, 1]);
    const limited = site({ limits: { streams: 1 } });
    const held = framesOf(await limited.ask("/changes"));
    expect(await read(limited.ask("/changes"))).toMatchObject({ status: 429, body: { code: "too_many_streams" } });
    await held.leave();
  });
});
