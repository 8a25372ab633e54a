import { defineTool } from "@cogency/agent";
import { memoryStore, type Store } from "@cogency/storage";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, bridged, gate, hers, prompt, replies } from "../../test/support/bridged.ts";
import { reading } from "../../test/support/site.ts";
import type { Problem } from "../problem.ts";
import { createBridge, type TurnItem, type Visit } from "./index.ts";

afterEach(() => void vi.useRealTimers());

const user = (id: string) => ({ headers: { "x-user": id } });
const request = (init?: RequestInit) => new Request("http://server.test/api/chat", init);
const inWords = ({ code, status }: Problem) => Response.json({ wire: code }, { status });
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Answers each request with this. */
const answering = (options: Parameters<typeof bridged>[0], answer: (visit: Visit) => Promise<Response>) => {
  const made = bridged(options);
  return { ...made, ask: (init?: RequestInit) => made.bridge.handle(request(init), answer, inWords) };
};

const slowTool = (opened: Promise<string>) =>
  defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
const slowCall = '<execute>[{"name":"slow","args":{}}]</execute>';

describe("a bridge", () => {
  it("refuses in the words of its wire who does not say who they are, and who asks too often", async () => {
    const authenticate = ({ headers }: Request) => (headers.has("x-user") ? { id: "ada" } : undefined);
    const { ask } = answering({ options: { authenticate, limits: { requests: 1 } } }, async () => new Response("in"));
    const unknown = await ask();
    expect([unknown.status, await unknown.json()]).toEqual([401, { wire: "unauthorized" }]);
    expect(await (await ask(user("ada"))).text()).toBe("in");
    const often = await ask(user("ada"));
    expect([often.status, await often.json()]).toEqual([429, { wire: "too_many_requests" }]);
    expect(Number(often.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("lets pages of listed origins in, and no other ones", async () => {
    const origin = "https://app.example";
    const { ask } = answering({ options: { origins: [origin] } }, async () => Response.error());
    const from = (named: string, method = "POST") => ask({ method, headers: { origin: named } });
    expect(await (await from("https://evil.example")).json()).toEqual({ wire: "cross_site" });
    const preflight = await from(origin, "OPTIONS");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    const handed = answering({ options: { origins: [origin] } }, async () => Response.redirect("https://a.example"));
    const shared = await handed.ask({ headers: { origin } });
    expect([shared.status, shared.headers.get("access-control-allow-origin")]).toEqual([302, origin]);
  });

  it("tells nothing of what its own code or the store throws, and tells `onError` all of it", async () => {
    const { ask, errors } = answering({}, async () => {
      throw new Error("canary");
    });
    const failed = await ask();
    expect([failed.status, await failed.json()]).toEqual([500, { wire: "internal" }]);
    expect(errors).toEqual([expect.objectContaining({ message: "canary" })]);
  });

  it("never rejects, also when the words for a problem cannot be found", async () => {
    const { bridge, errors } = bridged({ options: { authenticate: () => undefined } });
    const response = await bridge.handle(
      request(),
      async () => new Response(),
      () => {
        throw new Error("canary");
      },
    );
    const internal = [500, { code: "internal", message: "The server could not do this." }];
    expect([response.status, await response.json()]).toEqual(internal);
    expect(errors).toHaveLength(1);
    const origin = "https://app.example";
    const broken = answering({ options: { origins: [origin] } }, async () => Response.error());
    const answer = await broken.ask({ headers: { origin } });
    expect([answer.status, await answer.json()]).toEqual([500, { wire: "internal" }]);
  });

  it("refuses wrong options under the name that the host calls", () => {
    const { agent, store } = bridged();
    const make = (options: object) => () =>
      createBridge("chatHandler", { agent, store, authenticate: () => undefined, ...options });
    expect(make({ authenticate: undefined })).toThrow(/^chatHandler needs `authenticate`/);
    expect(make({ agent: {} })).toThrow(/^chatHandler: `agent` .*`send\(\)` and `recover\(\)`/);
    expect(make({ nonsense: 1 })).toThrow(/^chatHandler has no option `nonsense`/);
    expect(make({ keepAlive: 0 })).toThrow(RangeError);
  });
});

describe("a visit", () => {
  it("knows the path behind the prefix, its sender and their conversations", async () => {
    const { ask } = answering({ options: { prefix: "/api" } }, async (visit) =>
      Response.json([visit.path, visit.sender.user, visit.keyOf("notes")]),
    );
    expect(await (await ask(user("bob"))).json()).toEqual(["/chat", "bob", { conversation: "notes", user: "bob" }]);
  });

  it("has nothing at an address that does not begin with the prefix", async () => {
    for (const prefix of ["/chat", "/ap"]) {
      const { ask } = answering({ options: { prefix } }, async (visit) => Response.json(visit.path));
      const { status } = await ask();
      expect([prefix, status]).toEqual([prefix, 404]);
    }
  });

  it("refuses names that no conversation has, and bodies that are no JSON object", async () => {
    const { visit } = bridged();
    const code = (promise: Promise<unknown>) => promise.catch((problem: Problem) => problem.code);
    for (const name of ["", "x".repeat(513), "a\nb"])
      expect(await code(visit(async (one) => one.keyOf(name)))).toBe("invalid_request");
    expect(await visit((one) => one.readJson(), json({ a: 1 }))).toEqual({ a: 1 });
    for (const body of ["[]", "{", "null"])
      expect(await code(visit((one) => one.readJson(), json(body)))).toBe("invalid_request");
    expect(await code(visit((one) => one.readJson(), { method: "POST", body: "{}" }))).toBe("unsupported_type");
  });

  it("reads all that its sender may see, and nothing of anybody else", async () => {
    const { visit, turn } = bridged({ steps: ["<think>A thought.</think>Hello!<end>"] });
    const nothing = { events: [], state: "idle", last: 0 };
    expect(await visit((one) => one.read(hers))).toEqual(nothing);
    await turn([prompt("1")]);
    const whole = await visit((one) => one.read(one.keyOf("notes")));
    expect(whole).toMatchObject({ state: "idle", last: expect.any(Number) });
    expect(JSON.stringify(whole.events)).toContain("Hello!");
    expect(JSON.stringify(whole.events)).not.toMatch(/thought|proof|"system"/);
    expect(await visit((one) => one.read(one.keyOf("notes")), user("bob"))).toEqual(nothing);
    expect(await visit((one) => all(one.turn(one.keyOf("notes"), { after: 0 })), user("bob"))).toEqual([
      { type: "over", ending: { status: "completed" } },
    ]);
  });

  it("says what a conversation does", async () => {
    const { visit, turn } = bridged({ steps: ['<execute>[{"name":"write","args":{"line":"a"}}]</execute>'] });
    await turn([prompt("1")]);
    expect(await visit((one) => one.read(hers))).toMatchObject({ state: "waiting" });
  });

  it("posts in the name of its sender, and each message once", async () => {
    const { visit, store } = bridged({ steps: ["Hello!<end>"] });
    await visit((one) => one.post(hers, [prompt("1"), prompt("1")]));
    await expect.poll(() => store.inbox(hers), { timeout: 20_000 }).toEqual([]);
    const messages = (await store.load(hers)).flatMap((event) =>
      event.type === "record" && event.kind === "message" ? [event.data] : [],
    );
    expect(messages).toEqual([{ id: "1", kind: "prompt", from: "ada" }]);
  });

  it("says in words what is wrong with a message, and posts none of those after it", async () => {
    const { visit, store } = bridged({ agent: { attachments: { maxBytes: 10 } } });
    const refusal = (messages: Parameters<Visit["post"]>[1]) =>
      visit((one) => one.post(hers, messages)).catch(({ code, message }: Problem) => ({ code, message }));
    const data = "A".repeat(100);
    const attachments = [{ kind: "file", mediaType: "text/plain", data }] as const;
    expect(await refusal([{ id: "1", content: { kind: "prompt", content: "hi", attachments } }, prompt("2")])).toEqual({
      code: "invalid_request",
      message: expect.stringContaining("bytes"),
    });
    const tool = (name: string) => ({ name, description: "Of the client.", parameters: { type: "object" } });
    for (const [tools, message] of [
      [[tool("two words")], "two words"],
      [[tool("write")], "which the agent has itself"],
    ] as const)
      expect(await refusal([{ id: "1", content: { kind: "prompt", content: "hi", tools } }])).toEqual({
        code: "invalid_request",
        message: expect.stringContaining(message),
      });
    expect(await refusal([prompt("1"), prompt("two words")])).toMatchObject({ code: "invalid_request" });
    expect(await refusal([{ id: "1", content: { kind: "approve", question: "q" } }])).toMatchObject({
      code: "not_found",
    });
    expect(await store.inbox(hers)).toEqual([]);
  });

  it("refuses a message whose id belongs to another one, and goes on with those before it", async () => {
    const { visit, store } = bridged({ steps: ["Hello!<end>", "Again!<end>"] });
    const refused = visit((one) => one.post(hers, [prompt("1"), prompt("1", "other words")]));
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    await expect.poll(async () => JSON.stringify(await store.load(hers)), { timeout: 20_000 }).toContain("Hello!");
  });

  it("goes on with a message that came when the run of this process had read its inbox for the last time", async () => {
    const { agent, store } = bridged({ steps: ["Hello!<end>", "Again!<end>"] });
    const { opened, open } = gate();
    const recover = ((options: { conversation: string }) => {
      const run = agent.recover(options);
      return { ...run, result: run.result.then((ended) => opened.then(() => ended)) };
    }) as typeof agent.recover;
    const late = { ...agent, recover };
    const { visit } = bridged({ store, options: { agent: late } });
    await visit((one) => one.post(hers, [prompt("1")]));
    const log = async () => JSON.stringify(await store.load(hers));
    await expect.poll(log, { timeout: 20_000 }).toContain('"kind":"run"');
    // Until the run has given back the conversation.
    await expect
      .poll(() =>
        store.lease(hers, { owner: "x", ttl: 1 }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await visit((one) => one.post(hers, [prompt("2")]));
    open();
    await expect.poll(log, { timeout: 20_000 }).toContain("Again!");
  });

  it("refuses what is over the limits of the user", async () => {
    const { visit, store } = bridged({ options: { limits: { waiting: 1 } } });
    await store.lease(hers, { owner: "another", ttl: 600_000 });
    const refused = visit((one) => one.post(hers, [prompt("1"), prompt("2")]));
    await expect(refused).rejects.toMatchObject({ code: "too_many_messages" });
    expect(await store.inbox(hers)).toHaveLength(1);
  });
});

describe("a stream of a visit", () => {
  const texts = (items: AsyncIterable<TurnItem>) =>
    (async function* () {
      for await (const item of items) yield `data: ${JSON.stringify(item)}\n\n`;
    })();
  const streamed = (options: Parameters<typeof bridged>[0]) =>
    answering(options, async (visit) => {
      await visit.post(hers, [prompt("1")]);
      return visit.stream(texts(visit.turn(hers, { after: 0, ids: ["1"] })), { "x-wire": "1" });
    });

  it("has each text as one server-sent event, and ends with them", async () => {
    const { ask } = streamed({ steps: ["Hello!<end>"] });
    const response = await ask();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-wire": "1",
    });
    const blocks = (await response.text()).split("\n\n");
    expect(blocks.pop()).toBe("");
    const items = blocks.map((block): TurnItem => JSON.parse(block.replace(/^data: /, "")));
    expect(replies(items)).toEqual(["Hello!"]);
    expect(items.at(-1)).toEqual({ type: "over", ending: { status: "completed" } });
  });

  it("leaves no iteration and no timer when its reader leaves, and the run goes on", async () => {
    const inner = memoryStore();
    const follows: string[] = [];
    const { opened, open } = gate();
    const store: Store = { ...inner, follow: (key, options) => counted(inner.follow(key, options), follows) };
    const { ask } = streamed({ store, steps: [slowCall, "Done.<end>"], tools: [slowTool(opened)] });
    const chunks = reading(await ask());
    for (let chunk = await chunks.next(); !chunk?.includes('"started"'); ) chunk = await chunks.next();
    // Nothing comes after it: the texts wait for the turn, and the turn for its conversation.
    const waiting = chunks.next();
    await new Promise(setImmediate);
    await chunks.leave();
    expect(await waiting).toBeUndefined();
    await expect.poll(() => follows, { timeout: 20_000 }).toEqual(["begun", "ended"]);
    open();
    await expect.poll(async () => JSON.stringify(await inner.load(hers)), { timeout: 20_000 }).toContain("Done.");
  });

  it("ends when the request is aborted, also where its texts wait for something", async () => {
    const leaving = new AbortController();
    const { opened, open } = gate();
    const { ask } = streamed({ steps: [slowCall, "Done.<end>"], tools: [slowTool(opened)] });
    const response = await ask({ signal: leaving.signal });
    const text = response.text();
    leaving.abort();
    expect(await text).not.toContain('"over"');
    open();
  });

  it("has a comment where nothing comes for a while, and ends after the time of a stream", async () => {
    const { opened, open } = gate();
    const { ask } = streamed({
      steps: [slowCall, "Done.<end>"],
      tools: [slowTool(opened)],
      options: { keepAlive: 30, streamTime: 400 },
    });
    const text = await (await ask()).text();
    expect(text).toContain(": \n\n");
    expect(text).not.toContain("retry:");
    expect(text).not.toContain('"over"');
    open();
  });

  it("counts as an open stream of its user until it has ended", async () => {
    const { ask } = streamed({ steps: ["Hello!<end>"], options: { limits: { streams: 1 } } });
    const first = await ask();
    expect(await (await ask()).json()).toEqual({ wire: "too_many_streams" });
    await first.text();
    const next = await ask();
    expect(next.status).toBe(200);
    await next.text();
  });

  it("breaks off when its texts fail, and tells `onError` why", async () => {
    const failing = async function* () {
      yield "data: 1\n\n";
      throw new Error("canary");
    };
    const { ask, errors } = answering({}, async (visit) => visit.stream(failing()));
    await expect((await ask()).text()).rejects.toThrow();
    expect(errors).toEqual([expect.objectContaining({ message: "canary" })]);
  });

  it("reads no further than its reader, however long that one takes, and loses nothing", async () => {
    let made = 0;
    const many = async function* () {
      for (; made < 5; made++) yield `data: ${made}\n\n`;
    };
    vi.useFakeTimers();
    const { ask } = answering({}, async (visit) => visit.stream(many()));
    const chunks = reading(await ask());
    expect(await chunks.next()).toBe("data: 0\n\n");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made).toBe(0);
    const rest: unknown[] = [];
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) rest.push(chunk);
    expect(rest).toEqual([1, 2, 3, 4].map((at) => `data: ${at}\n\n`));
  });
});

async function* counted<Value>(values: AsyncIterable<Value>, told: string[]): AsyncGenerator<Value> {
  told.push("begun");
  try {
    yield* values;
  } finally {
    told.push("ended");
  }
}
