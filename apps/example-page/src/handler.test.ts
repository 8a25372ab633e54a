import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store, type StoredEvent } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { serve } from "@tooling/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHandler, type HandlerOptions } from "./handler.ts";

const key = { conversation: "notes", user: "ada" };
const json = { "content-type": "application/json" };

/** A server over an agent whose tool asks, and what its tool has written. */
async function site(steps: ScriptedStep[] = [], options: Partial<HandlerOptions> = {}) {
  const written: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes.",
    input: { type: "object", properties: { line: { type: "string" } } },
    approval: "ask",
    execute: ({ line }) => void written.push(line),
  });
  const store = memoryStore();
  const keyRing = createKeyRing(["a secret of this server, at least 32 bytes"]);
  const agent = createAgent({ provider: scripted(steps), tools: [write], store, keyRing });
  // The handler knows where it is reached, and so is made once the server listens.
  const server = await serve((asked, response) => handler(asked, response));
  const { url } = server;
  const files = { html: "<style>a {}</style>", script: "1;" };
  const handler = createHandler({ agent, store, key, origin: url, personOf: () => "ada", files, ...options });
  return { agent, store, written, server, url };
}

const call = '<execute>[{"name":"write","args":{"line":"hello"}}]</execute>';

/** Sends a request with these very headers, which `fetch` would not. */
async function ask(url: string, options: RequestOptions = {}, body?: string) {
  const sent = request(url, { agent: false, ...options }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

/** Posts as the page does, with other headers where they are given. */
function post(url: string, body: unknown, headers: Record<string, string | undefined> = {}) {
  const given = Object.entries({ origin: url, ...json, ...headers }).filter(([, value]) => value !== undefined);
  const options = { method: "POST", headers: Object.fromEntries(given) as Record<string, string> };
  return ask(`${url}/messages`, options, typeof body === "string" ? body : JSON.stringify(body));
}

/** Follows the events as an EventSource does. */
async function follow(url: string, path = "/events?after=0", headers: Record<string, string> = {}) {
  const sent = request(`${url}${path}`, { agent: false, headers }).end();
  onTestFinished(() => void sent.destroy());
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { response, leave: () => sent.destroy(), events: eventsOf(response) };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<StoredEvent> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const blocks = `${rest}${chunk}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      const event = JSON.parse(data ?? "null") as StoredEvent;
      expect(event.seq).toBe(Number(id));
      yield event;
    }
  }
}

async function next(events: AsyncGenerator<StoredEvent>, count: number): Promise<StoredEvent[]> {
  const taken: StoredEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const user = (content: string) => ({ type: "user", content, timestamp: 1 }) as const;

async function question(store: Store): Promise<string> {
  const log = await store.load(key);
  const [id] = log.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data.id] : []));
  return String(id);
}

describe("the events", () => {
  it("are those of the log, each under its number, and then those that come", async () => {
    const { store, url } = await site();
    await store.append(key, [user("one\n\ndata: no"), user("two")]);
    const { response, events } = await follow(url);
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store" });
    expect(await next(events, 2)).toEqual(await store.load(key));
    await store.append(key, [user("three")]);
    expect(await next(events, 1)).toMatchObject([{ seq: 3, content: "three" }]);
  });

  it("begin after the last one that a page has, which counts more than the address that it first asked for", async () => {
    const { store, url } = await site();
    await store.append(key, [user("one"), user("two"), user("three")]);
    const seqOf = async (path: string, headers = {}) =>
      (await next((await follow(url, path, headers)).events, 1))[0]?.seq;
    expect(await seqOf("/events")).toBe(1);
    expect(await seqOf("/events?after=1")).toBe(2);
    expect(await seqOf("/events?after=0", { "last-event-id": "2" })).toBe(3);
  });

  it.each(["-1", "1.5", "x", "", "1e3", "99999999999999999999"])("are refused after %j", async (after) => {
    const { url } = await site();
    expect(await ask(`${url}/events?after=${after}`)).toMatchObject({
      status: 400,
      text: expect.stringMatching("after"),
    });
    expect((await ask(`${url}/events`, { headers: { "last-event-id": after || "-" } })).status).toBe(400);
  });

  it("are no longer followed when the page has left", async () => {
    const inner = memoryStore();
    const left = Promise.withResolvers<void>();
    const store: Pick<Store, "follow"> = {
      async *follow(...given) {
        try {
          yield* inner.follow(...given);
        } finally {
          left.resolve();
        }
      },
    };
    const { url, server } = await site([], { store });
    await inner.append(key, [user("one")]);
    const { events, leave } = await follow(url);
    await next(events, 1);
    leave();
    await left.promise;
    await expect.poll(() => server.open).toBe(0);
  });

  it("are read from the store no faster than the page reads", async () => {
    let read = 0;
    const most = 5000;
    const content = "x".repeat(50_000);
    const store: Pick<Store, "follow"> = {
      async *follow() {
        while (read < most) yield { ...user(content), seq: ++read };
      },
    };
    const { url } = await site([], { store });
    const { response } = await follow(url);
    await once(response, "readable");
    // A megabyte or a few fit into the buffers of both ends.
    expect(read).toBeLessThan(most / 5);
  });

  it("end with the conversation, and the connection breaks if the store fails", async () => {
    const { store, url } = await site();
    await store.append(key, [user("one")]);
    const { events } = await follow(url);
    await next(events, 1);
    await store.delete(key);
    expect(await next(events, 1)).toEqual([]);
    const broken = await follow(url);
    await store.close();
    await expect(next(broken.events, 1)).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a message", () => {
  it("is signed by the server, in the name of the person that it knows", async () => {
    const { agent, store, url, written } = await site([call, "Done.<end>"]);
    expect((await post(url, { kind: "prompt", content: " write hello " })).status).toBe(202);
    expect(await store.inbox(key)).toMatchObject([
      { message: { kind: "prompt", content: "write hello", from: "ada", proof: { mac: expect.any(String) } } },
    ]);
    await agent.sweep();
    expect(written).toEqual([]);
    expect((await post(url, { kind: "approve", question: await question(store) })).status).toBe(202);
    await agent.sweep();
    expect(written).toEqual(["hello"]);
  });

  it("refuses a call with the reason of the person, which the model reads", async () => {
    const answers: string[] = [];
    const hear = ({ messages }: { messages: unknown }) => {
      answers.push(JSON.stringify(messages));
      return "Then not.<end>";
    };
    const { agent, store, url, written } = await site([call, hear]);
    await post(url, { kind: "prompt", content: "write hello" });
    await agent.sweep();
    await post(url, { kind: "deny", question: await question(store), reason: "it is a draft" });
    await agent.sweep();
    expect(written).toEqual([]);
    expect(answers.join()).toContain("it is a draft");
  });

  it("without the key of the server answers nothing, even if it is in the store", async () => {
    const { agent, store, url, written } = await site([call, "Done.<end>"]);
    await post(url, { kind: "prompt", content: "write hello" });
    await agent.sweep();
    const approve = { kind: "approve", question: await question(store) } as const;
    const stranger = createAgent({
      provider: scripted([]),
      store,
      keyRing: createKeyRing(["a secret that somebody else made up, 32 bytes"]),
    });
    await stranger.send(key, approve, { from: "ada" });
    await store.post(key, { ...approve, from: "ada" }, { id: "unsigned" });
    await agent.sweep();
    expect(written).toEqual([]);
    await post(url, approve);
    await agent.sweep();
    expect(written).toEqual(["hello"]);
  });

  it.each<[what: string, body: unknown, why: RegExp]>([
    ["not JSON", "{", /not JSON/],
    ["empty", "", /not JSON/],
    ["no object", [], /expected object/i],
    ["of no kind", { content: "x" }, /kind/],
    ["of an unknown kind", { kind: "wipe" }, /kind/],
    ["without content", { kind: "prompt" }, /content/],
    ["blank", { kind: "prompt", content: " \n" }, /content/],
    ["with a content that is no text", { kind: "steer", content: { a: 1 } }, /content/],
    ["without a question", { kind: "approve" }, /question/],
    ["with a name of its own", { kind: "prompt", content: "x", from: "root" }, /from/],
    ["with a proof of its own", { kind: "approve", question: "q", proof: { key: "k", mac: "m" } }, /proof/],
    ["for another conversation", { kind: "cancel", conversation: "others" }, /conversation/],
  ])("is refused when it is %s", async (_, body, why) => {
    const { store, url } = await site();
    expect(await post(url, body)).toMatchObject({ status: 400, text: expect.stringMatching(why) });
    expect(await store.inbox(key)).toEqual([]);
  });

  it("is refused when it is too large, however its size is given", async () => {
    const { store, url } = await site();
    const body = JSON.stringify({ kind: "prompt", content: "x".repeat(100_000) });
    expect(await post(url, body)).toMatchObject({ status: 413 });
    expect(await post(url, body, { "transfer-encoding": "chunked" })).toMatchObject({ status: 413 });
    expect(await store.inbox(key)).toEqual([]);
  });
});

describe("a page elsewhere", () => {
  const prompt = { kind: "prompt", content: "hello" };

  it.each<[what: string, status: number, headers: Record<string, string | undefined>]>([
    ["of another origin", 403, { origin: "https://evil.example" }],
    ["on another port", 403, { origin: "http://127.0.0.1:1" }],
    ["in a sandboxed frame", 403, { origin: "null" }],
    ["that hides its origin", 403, { origin: undefined }],
    ["that the browser knows as another site", 403, { "sec-fetch-site": "cross-site" }],
    ["that the browser knows as a sibling", 403, { "sec-fetch-site": "same-site" }],
    ["with a form", 415, { "content-type": "text/plain" }],
    ["with a form of a page here", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["without a type", 415, { "content-type": undefined }],
    ["under a name that leads here", 421, { host: "evil.example", origin: "http://evil.example" }],
  ])("%s posts nothing", async (_, status, headers) => {
    const { store, url } = await site();
    expect((await post(url, prompt, headers)).status).toBe(status);
    expect(await store.inbox(key)).toEqual([]);
    expect((await post(url, prompt, { "sec-fetch-site": "same-origin" })).status).toBe(202);
  });

  it("reads nothing", async () => {
    const { url } = await site();
    expect((await ask(`${url}/events`, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await ask(`${url}/events`, { headers: { host: "evil.example" } })).status).toBe(421);
    const { headers } = await ask(`${url}/`);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });
});

describe("a request", () => {
  it("from an unknown sender reads nothing and posts nothing", async () => {
    const { store, url } = await site([], { personOf: () => undefined });
    for (const path of ["/", "/page.js", "/events"]) expect((await ask(`${url}${path}`)).status, path).toBe(401);
    expect((await post(url, { kind: "cancel" })).status).toBe(401);
    expect(await store.inbox(key)).toEqual([]);
  });

  it("gets the page and its script, and nothing else", async () => {
    const { url } = await site();
    expect(await ask(`${url}/?x`)).toMatchObject({ status: 200, text: "<style>a {}</style>" });
    expect(await ask(`${url}/page.js`)).toMatchObject({
      status: 200,
      text: "1;",
      headers: { "content-type": "text/javascript; charset=utf-8", "x-content-type-options": "nosniff" },
    });
    for (const path of ["/key", "/../package.json", "//", "/%2e%2e/key", "/messages"])
      expect((await ask(url, { path })).status, path).toBe(404);
    expect((await ask(`${url}/events`, { method: "DELETE" })).status).toBe(404);
  });
});
