import { inspect } from "node:util";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, questionIn, read, reading, site } from "../test/support/site.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { Problem } from "./problem.ts";
import type { Questions } from "./questions.ts";
import { anonymousUser } from "./user.ts";

const key = { conversation: "notes" };
const user = (content: string) => ({ type: "user", content, timestamp: 1 }) as const;

describe("a message", () => {
  it("is signed by the agent and has the name that the server knows, and each question is answered once", async () => {
    const { agent, store, written, post } = site({}, [call, "Done.<end>"]);
    expect(
      await read(post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "write" })),
    ).toMatchObject({ status: 202, body: { id: "1" } });
    expect(await store.inbox(key)).toMatchObject([
      { id: "1", message: { kind: "prompt", content: "write", from: "ada", proof: { mac: expect.any(String) } } },
    ]);
    await agent.sweep();
    expect(written).toEqual([]);
    const approve = { kind: "approve", question: await questionIn(store, key) };
    for (const id of ["2", "2", "3"])
      expect((await post("/conversations/notes/messages", { id, ...approve })).status).toBe(202);
    await agent.sweep();
    expect(written).toEqual(["hello"]);
  });

  it("that is posted twice is one message, also after it was taken; another one under its id is a conflict", async () => {
    const { agent, store, post } = site({}, ["Hello.<end>"]);
    const prompt = { id: "same", kind: "prompt", content: "hi" };
    const statuses = [];
    for (const body of [prompt, prompt]) statuses.push((await post("/conversations/notes/messages", body)).status);
    await agent.sweep();
    statuses.push((await post("/conversations/notes/messages", prompt)).status);
    expect(statuses).toEqual([202, 202, 202]);
    expect(await store.inbox(key)).toEqual([]);
    expect((await store.load(key)).filter(({ type }) => type === "user")).toHaveLength(1);
    const other = read(post("/conversations/notes/messages", { ...prompt, content: "ho" }));
    expect(await other).toMatchObject({
      status: 409,
      body: { code: "conflict", message: expect.stringMatching(/id/) },
    });
  });

  const image = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  it.each([
    { kind: "steer", content: "no" },
    { kind: "prompt", content: "", attachments: [image] },
    { kind: "cancel", reason: "enough" },
    { kind: "cancel" },
  ])("is taken as %j", async (message) => {
    const { store, post } = site();
    expect((await post("/conversations/a%2Fb%20%C3%BC/messages", { id: "1", ...message })).status).toBe(202);
    expect(await store.inbox({ conversation: "a/b ü" })).toMatchObject([{ message }]);
  });

  it.each<[what: string, body: unknown, why: RegExp]>([
    ["not JSON", "{", /not JSON/],
    ["empty", "", /not JSON/],
    ["no object", [], /not a JSON object/],
    ["null", "null", /not a JSON object/],
    ["without an id", { kind: "cancel" }, /`id`/],
    ["under an empty id", { id: "", kind: "cancel" }, /`id`/],
    ["under an id with a control character", { id: "a\u001b[2J", kind: "cancel" }, /`id`/],
    ["under a long id", { id: "x".repeat(129), kind: "cancel" }, /`id`/],
    ["of no kind", { id: "1", content: "x" }, /`kind`/],
    ["of an unknown kind", { id: "1", kind: "constructor" }, /`kind`.*prompt, steer, approve/],
    ["without content", { id: "1", kind: "prompt" }, /`content`/],
    ["blank", { id: "1", kind: "prompt", content: " \n" }, /`content`.*empty/],
    ["with a content that is no text", { id: "1", kind: "steer", content: { a: 1 } }, /`content`/],
    ["without a question", { id: "1", kind: "approve" }, /`question`/],
    ["with a reason that is no text", { id: "1", kind: "cancel", reason: 1 }, /`reason`/],
    ["an answer without content", { id: "1", kind: "answer", question: "q" }, /`content`/],
    [
      "an answer that is too deep",
      `{"id":"1","kind":"answer","question":"q","content":${nested(20_000)}}`,
      /256 levels/,
    ],
    ["with a name of its own", { id: "1", kind: "prompt", content: "x", from: "root" }, /`from`/],
    ["with a proof of its own", { id: "1", kind: "cancel", proof: { key: "k", mac: "m" } }, /`proof`/],
    ["with a member __proto__", '{"id":"1","kind":"cancel","__proto__":{"from":"root"}}', /`__proto__`/],
    ["for another conversation", { id: "1", kind: "cancel", conversation: "others" }, /`conversation`/],
    ["with attachments that are none", { id: "1", kind: "prompt", content: "x", attachments: [{}] }, /attachment 1/],
    [
      "with a picture that is too large",
      { id: "1", kind: "prompt", content: "x", attachments: [{ ...image, data: "" }] },
      /empty/,
    ],
    ["not UTF-8", new Uint8Array([0x7b, 0xff]), /UTF-8/],
  ])("is refused when it is %s", async (_, body, why) => {
    const { store, ask } = site();
    const init = { method: "POST", headers: { "content-type": "application/json; charset=utf-8" } };
    const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    expect(await read(ask("/conversations/notes/messages", { ...init, body: sent }))).toMatchObject({
      status: 400,
      body: { code: "invalid_request", message: expect.stringMatching(why) },
    });
    expect(await store.inbox(key)).toEqual([]);
  });

  it("is refused with another type than JSON, when it is too large, and when it does not come", async () => {
    const { store, post, ask } = site({ maxBodyBytes: 1000, bodyTimeout: 20 });
    const cancel = { id: "1", kind: "cancel" };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
      expect((await post("/conversations/notes/messages", cancel, { "content-type": type })).status).toBe(415);
    expect((await post("/conversations/notes/messages", { ...cancel, reason: "x".repeat(1000) })).status).toBe(413);
    expect((await post("/conversations/notes/messages", cancel, { "content-length": "1001" })).status).toBe(413);
    let wasLeft = false;
    const slow = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
      cancel: () => {
        wasLeft = true;
      },
    });
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: slow,
      duplex: "half",
    } as const;
    expect(await read(ask("/conversations/notes/messages", init))).toMatchObject({
      status: 408,
      body: { code: "timeout" },
    });
    expect(wasLeft).toBe(true);
    expect(await store.inbox(key)).toEqual([]);
  });

  it("may keep a rule that the host offers for its question, and nothing else that a sender brings", async () => {
    const kept: unknown[] = [];
    const rules = [{ text: "write:**", file: "~/rules.json" }];
    const questions: Questions = {
      describe: async (_, id) => (id === asked ? { facts: [{ name: "runs", lines: ["a", "b"] }], rules } : undefined),
      keep: async (given, id, rule) => {
        if (id !== asked || kept.length > 0 || rule !== "write:**") return false;
        kept.push([given, id, rule]);
        return true;
      },
    };
    const { agent, store, written, post, ask } = site({ questions }, [call, "Done.<end>"]);
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "write" });
    await agent.sweep();
    const asked = await questionIn(store, key);
    const about = (id: string) => read(ask(`/conversations/notes/questions${id}`));
    expect(await about(`?id=${asked}`)).toMatchObject({
      status: 200,
      body: { facts: [{ name: "runs", lines: ["a", "b"] }], rules },
    });
    expect(await about("?id=other")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await about("")).toMatchObject({
      status: 200,
      body: [{ id: asked, name: "write", asks: "approval", args: { line: "hello" }, concerns: [], touches: [] }],
    });

    const approve = { kind: "approve", question: asked };
    const send = async (message: object) => (await read(post("/conversations/notes/messages", message))).status;
    expect(await send({ id: "2", ...approve, rule: "shell:**" })).toBe(409);
    expect(await send({ id: "2", ...approve, kind: "deny", rule: "write:**" })).toBe(400);
    expect(await send({ id: "2", ...approve, rule: ["write:**"] })).toBe(400);
    expect(await send({ id: "2", ...approve, question: "other", rule: "write:**" })).toBe(409);
    expect([kept, await store.inbox(key)]).toEqual([[], []]);
    const always = { id: "2", ...approve, rule: "write:**" };
    // Again while it waits, and after a run has read it: it is one message.
    expect([await send(always), await send(always)]).toEqual([202, 202]);
    expect((await store.inbox(key)).map(({ message }) => Object.keys(message).toSorted())).toEqual([
      ["from", "kind", "proof", "question"],
    ]);
    await agent.sweep();
    expect(await send(always)).toBe(202);
    expect([written, kept]).toEqual([["hello"], [[key, asked, "write:**"]]]);
  });

  it("keeps no rule where the host offers none", async () => {
    const { agent, store, post, ask } = site({}, [call]);
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "write" });
    await agent.sweep();
    const question = await questionIn(store, key);
    expect((await read(ask(`/conversations/notes/questions?id=${question}`))).body).toEqual({ facts: [], rules: [] });
    const always = { id: "2", kind: "approve", question, rule: "write" };
    expect((await post("/conversations/notes/messages", always)).status).toBe(409);
    expect((await post("/conversations/notes/questions", always)).status).toBe(405);
    expect((await ask(`/conversations/other/questions?id=${question}`)).status).toBe(404);
    expect(await store.inbox(key)).toEqual([]);
  });

  it("is listed, without its signature, until a run has read it", async () => {
    const { agent, post, ask } = site({}, ["Hello.<end>"]);
    const waiting = async () => (await read(ask("/conversations/notes/messages"))).body;
    expect(await waiting()).toEqual([]);
    await post("/conversations/notes/messages", { id: "1", kind: "prompt", content: "hi" });
    await post("/conversations/notes/messages", { id: "2", kind: "cancel", reason: "enough" });
    const postedAt = expect.any(Number);
    expect(await waiting()).toEqual([
      { id: "1", kind: "prompt", content: "hi", from: "ada", postedAt },
      { id: "2", kind: "cancel", reason: "enough", from: "ada", postedAt },
    ]);
    await agent.sweep();
    expect(await waiting()).toEqual([]);
  });

  it("settles nothing in a conversation without events, and begins none there", async () => {
    const { store, post } = site();
    const approve = { id: "1", kind: "approve", question: "q" };
    expect((await post("/conversations/notes/messages", approve)).status).toBe(404);
    expect(await store.inbox(key)).toEqual([]);
  });
});

describe("the list", () => {
  it("has the summaries of the sender's conversations, as many as are asked for, in pages", async () => {
    const { store, ask } = site({ authenticate: ({ headers }) => ({ id: headers.get("x-user") ?? anonymousUser }) });
    for (const conversation of ["one", "two", "three"])
      await store.append({ conversation }, [user(`to ${conversation}`)]);
    await store.append({ conversation: "hers", user: "ada" }, [user("x")]);
    const names = async (path: string, headers = {}) =>
      (await read<{ conversation: string }[]>(ask(path, { headers }))).body.map(({ conversation }) => conversation);
    expect(await names("/conversations")).toEqual(["three", "two", "one"]);
    expect(await names("/conversations?limit=2")).toEqual(["three", "two"]);
    expect(await names("/conversations?limit=2&before=two")).toEqual(["one"]);
    expect(await names("/conversations", { "x-user": "ada" })).toEqual(["hers"]);
    expect((await read(ask("/conversations?limit=1"))).body).toEqual(await store.conversations({ limit: 1 }));
  });

  it("leaves the conversations of agents out of the list, however many there are", async () => {
    const { ask, store } = site();
    await store.append({ conversation: "mine" }, [{ type: "user", content: "go", timestamp: 1 }]);
    for (let at = 0; at < 5; at++)
      await store.append({ conversation: `subagent-${String(at).repeat(40)}` }, [
        { type: "user", content: "x", timestamp: 2 },
      ]);
    const { body } = await read(ask("/conversations?limit=2"));
    expect((body as { conversation: string }[]).map(({ conversation }) => conversation)).toEqual(["mine"]);
  });

  it.each(["0", "-1", "1.5", "x", "", "1001", "Infinity"])("is refused with the limit %j", async (limit) => {
    expect((await site().ask(`/conversations?limit=${limit}`)).status).toBe(400);
  });
});

describe("a fork", () => {
  it("begins with all events or the first ones, in the name of the sender", async () => {
    const { store, agent, post } = site({}, ["Hello.<end>", call]);
    await agent.ask("hi", key);
    const length = (await store.load(key)).length;
    const fork = async (body: object) =>
      (await read<{ conversation: string; code?: string }>(post("/conversations/notes/fork", body))).body;
    const { conversation } = await fork({});
    expect((await store.load({ conversation })).map(({ type }) => type)).toContain("respond");
    await store.append({ conversation: "unsigned" }, [user("one"), user("two")]);
    const { status, body } = await read<{ conversation: string }>(post("/conversations/unsigned/fork", { at: 1 }));
    expect(status).toBe(201);
    const copied = await store.load({ conversation: body.conversation });
    expect(copied.filter(({ type }) => type === "user")).toMatchObject([{ content: "one" }]);
    for (const at of [-1, length + 1, 1.5])
      expect(await fork({ at })).toMatchObject({ code: "invalid_request", message: expect.stringMatching("`at`") });
    expect(await fork({ at: "1" })).toMatchObject({ code: "invalid_request" });
    expect(await fork({ as: "mine" })).toMatchObject({ message: "A fork has no `as`." });
    expect(await read(post("/conversations/unknown/fork", {}))).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });
});

describe("the events", () => {
  it("are what a person may see of the log, under their numbers, and then of those that come", async () => {
    const { store, ask } = site({ prefix: "/api" });
    await store.append(key, [
      user("one\n\ndata: no"),
      { type: "record", kind: "run", data: { status: "stopped" }, timestamp: 1 },
    ]);
    const response = await ask("/api/conversations/notes/events");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    });
    const reader = reading(response);
    expect(await reader.next()).toBe("retry: 1000\n\n");
    const [one, two] = await store.load(key);
    expect(await reader.next()).toBe(`id: 1\ndata: ${JSON.stringify(one)}\n\n`);
    expect(await reader.next()).toBe(`id: 2\ndata: ${JSON.stringify(two)}\n\n`);
    const third = reader.next();
    await store.append(key, [user("three")]);
    expect(await third).toMatch("three");
    await store.delete(key);
    expect(await reader.next()).toBeUndefined();
  });

  it("begin after the last one that the reader has, and end with a conflict if it has more than there are", async () => {
    const { store, ask } = site();
    const after = (id: string) => ask("/conversations/notes/events", { headers: { "last-event-id": id } });
    await store.append(key, [user("one"), user("two")]);
    const reader = reading(await after("1"));
    await reader.next();
    expect(await reader.next()).toMatch(/^id: 2\n/);
    expect((await read(after("3"))).body).toMatchObject({ code: "conflict" });
    for (const id of ["-1", "1.5", "x", "1e3", "99999999999999999999"]) expect((await after(id)).status).toBe(400);
    const late = reading(await ask("/conversations/new/events"));
    await late.next();
    const first = late.next();
    await store.append({ conversation: "new" }, [user("one")]);
    expect(await first).toMatch(/^id: 1\n/);
    await Promise.all([reader.leave(), late.leave()]);
  });

  it("are read one at a time as the reader asks, with a comment where none comes, until the reader leaves", async () => {
    let pulled = 0;
    let ended = 0;
    const store = {
      ...memoryStore(),
      async *follow(_: object, { signal }: { signal?: AbortSignal } = {}) {
        try {
          while (pulled < 3) yield { ...user("x"), seq: ++pulled };
          await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        } finally {
          ended++;
        }
      },
    };
    const { ask } = site({ store, keepAlive: 5 });
    const reader = reading(await ask("/conversations/notes/events"));
    expect([await reader.next(), await reader.next(), pulled]).toEqual([
      "retry: 1000\n\n",
      expect.stringMatching("id: 1"),
      1,
    ]);
    for (const id of [2, 3]) expect(await reader.next()).toMatch(`id: ${id}`);
    for (let comment = 0; comment < 3; comment++) expect(await reader.next()).toBe(": \n\n");
    const silent = reader.next();
    await reader.leave();
    await silent;
    expect(ended).toBe(1);
    const leaving = new AbortController();
    const aborted = reading(await ask("/conversations/notes/events", { signal: leaving.signal }));
    await aborted.next();
    const last = aborted.next();
    leaving.abort();
    await last;
    await expect.poll(() => ended).toBe(2);
  });
});

describe("readers that follow", () => {
  const failed = new StoreError("unavailable", "the disk burns");

  it.each<[string, (store: Store, fail: (error: Error) => void) => unknown, readonly Error[]]>([
    ["are broken off without a word when a server that stops closes its store", (store) => store.close(), []],
    ["are broken off with one word each when the store fails", (_, fail) => fail(failed), [failed, failed]],
  ])("%s", async (_, stop, told) => {
    const inner = memoryStore();
    const failure = Promise.withResolvers<never>();
    const store: Store = {
      ...inner,
      async *follow(which, options) {
        const events = inner.follow(which, options)[Symbol.asyncIterator]();
        for (;;) {
          const { value, done } = await Promise.race([events.next(), failure.promise]);
          if (done) return;
          yield value;
        }
      },
    };
    const errors: unknown[] = [];
    const { ask } = site({ store, onError: (error) => errors.push(error) });
    await inner.append(key, [user("one")]);
    const readers = await Promise.all([1, 2].map(async () => reading(await ask("/conversations/notes/events"))));
    for (const reader of readers) {
      await reader.next();
      expect(await reader.next()).toMatch(/^id: 1\n/);
    }
    const last = readers.map((reader) => reader.next().catch(() => "broken off"));
    await stop(store, failure.reject);
    expect(await Promise.all(last)).toEqual(["broken off", "broken off"]);
    expect(errors).toEqual(told);
  });
});

describe("a reader that takes nothing", () => {
  it("holds no events in memory, and gets the rest when it goes on", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const follows: { after: number; isOver: boolean }[] = [];
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      async *follow(which, { after = 0, signal } = {}) {
        const one = { after, isOver: false };
        follows.push(one);
        try {
          yield* inner.follow(which, { after, signal });
        } finally {
          one.isOver = true;
        }
      },
    };
    const { ask } = site({ store });
    await inner.append(key, [user("one"), user("two")]);
    const reader = reading(await ask("/conversations/notes/events"));
    await reader.next();
    expect(await reader.next()).toMatch(/^id: 1\n/);
    await vi.advanceTimersByTimeAsync(1000);
    expect(follows).toEqual([{ after: 0, isOver: true }]);
    expect(await reader.next()).toMatch(/^id: 2\n/);
    expect(follows).toEqual([
      { after: 0, isOver: true },
      { after: 1, isOver: false },
    ]);
    await reader.leave();
    expect(follows.every(({ isOver }) => isOver)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a request", () => {
  it("that fails the server is printed without its headers, and a listener that throws changes nothing", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const store = { ...memoryStore(), conversations: () => Promise.reject(new Error("the disk burns")) } as Store;
    const headers = { cookie: "session=canary", authorization: "Bearer canary" };
    for (const onError of [undefined, () => expect.unreachable()]) {
      const { ask } = site({ store, onError });
      expect((await ask("/conversations", { headers })).status).toBe(500);
    }
    expect(printed).toHaveBeenCalledOnce();
    expect(inspect(printed.mock.calls, { depth: 9, showHidden: true })).toContain("the disk burns");
    expect(inspect(printed.mock.calls, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  it.each([
    [{ maxBodyBytes: "1mb" }, "createHandler: `maxBodyBytes` is a string; give bytes above 0."],
    [{ maxBodyBytes: Number.NaN }, "`maxBodyBytes` is NaN"],
    [{ bodyTimeout: "10s" }, "`bodyTimeout` is a string"],
    [{ streamTime: 0 }, "`streamTime` is 0"],
    [{ keepAlive: -1 }, "`keepAlive` is -1"],
    [{ prefix: "api" }, "give a path that begins with a slash"],
    [{ prefix: "/api/" }, "give a path that begins with a slash and ends without one"],
    [{ basePath: "/api" }, "createHandler has no option `basePath`"],
    [
      { limits: { request: 5 } },
      "`limits` of createHandler has no option `request` (given: 5). Did you mean `requests`?",
    ],
    [{ agent: {} }, "give the agent of createAgent, which has `send()` and `fork()`"],
    [{ store: Promise.resolve(memoryStore()) }, "Await it: it is a promise."],
    [{ origins: "https://app.example" }, "`origins` is a string; give an array of origins"],
  ])("is not taken by a handler with %j", (wrong, message) => {
    expect(() => site(wrong as Partial<HandlerOptions>)).toThrow(message);
  });

  it.each([
    ["GET", "/", 404],
    ["GET", "/conversations/", 404],
    ["GET", "/conversations/notes", 404],
    ["GET", "/conversations/notes/constructor", 404],
    ["GET", "/conversations//events", 404],
    ["GET", "//conversations", 404],
    ["GET", "/conversations/%E0%A4%A/events", 400],
    ["GET", "/conversations/a%00b/events", 400],
    ["GET", `/conversations/${"x".repeat(513)}/events`, 400],
    ["DELETE", "/conversations", 405],
    ["OPTIONS", "/conversations/notes/messages", 405],
    ["GET", "/conversations/notes/fork", 405],
    ["POST", "/conversations/notes/events", 405],
  ])("%s %s is refused with %i", async (method, path, status) => {
    const refused = await read(site().ask(path, { method }));
    expect(refused).toMatchObject({ status, body: { code: expect.any(String), message: expect.any(String) } });
    expect(Object.hasOwn(refused.headers, "allow")).toBe(status === 405);
    expect(refused.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("is refused as the host says, and nothing of an unexpected error is shown", async () => {
    const refused = new Problem("unauthorized", "Sign in first.");
    const secret = new Error("cannot reach postgres://me:canary@db");
    for (const [thrown, status, code] of [
      [refused, 401, "unauthorized"],
      [secret, 500, "internal"],
      [new TypeError("canary"), 500, "internal"],
      [new StoreError("unavailable", "canary"), 503, "store_failed"],
    ] as const) {
      const { ask, errors } = site({ authenticate: () => Promise.reject(thrown) });
      const answer = await read(ask("/conversations"));
      expect(answer).toMatchObject({ status, body: { code } });
      expect(JSON.stringify(answer)).not.toContain("canary");
      expect(errors).toEqual(status >= 500 ? [thrown] : []);
    }
  });

  it("to a store that fails is a 503 at every address", async () => {
    const { store, ask, post, errors } = site();
    await store.append(key, [user("one")]);
    const open = reading(await ask("/conversations/notes/events"));
    for (let at = 0; at < 2; at++) await open.next();
    const waiting = open.next();
    await store.close();
    await expect(waiting).rejects.toThrow();
    const statuses = [
      await ask("/conversations"),
      await ask("/conversations/notes/events"),
      await post("/conversations/notes/messages", { id: "1", kind: "cancel" }),
      await post("/conversations/notes/fork", {}),
    ].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503, 503]);
    // The stream that was open has ended with the store, which is no error.
    expect(errors).toHaveLength(4);
  });
});
