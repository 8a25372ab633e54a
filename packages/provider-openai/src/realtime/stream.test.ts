import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import type { ModelMessage } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { serveTcp } from "@tooling/loopback";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { canary, endpointOf, failureOf, openSession, request, said } from "../../test/support/realtime-endpoint.ts";
import { errorEvent, failed, realtimeServer, type ServerOptions } from "../../test/support/realtime-server.ts";
import { realtimeConnect, realtimeStream } from "./stream.ts";

const question: ModelRequest = { ...request, messages: [...said, { role: "user", content: "How are you?" }] };

const patience = { timeout: 10_000 };

describe("realtimeConnect", () => {
  it("sends the settings and the conversation so far", async () => {
    const { server } = await openSession({
      request: { ...request, maxOutputTokens: 50, options: { truncation: "disabled" } },
    });
    expect(server.current.told).toEqual([
      {
        type: "session.update",
        event_id: "event_1",
        session: {
          type: "realtime",
          output_modalities: ["text"],
          instructions: "Be brief.",
          max_output_tokens: 50,
          truncation: "disabled",
        },
      },
      { type: "conversation.item.create", event_id: "event_2", item: item("user", "input_text", "Hello.") },
      { type: "conversation.item.create", event_id: "event_3", item: item("assistant", "output_text", "Hello, you.") },
    ]);
  });

  it("keeps the address's query and the configured headers", async () => {
    const server = await realtimeServer();
    const url = new URL(`${server.url.href}/?api-version=1`);
    const connect = realtimeConnect(endpointOf(url, {}, { "x-team": "blue" }));
    const session = await connect({ ...request, model: "gpt-realtime-mini" });
    await session.close();
    expect(server.current.path).toBe("/v1/realtime?api-version=1&model=gpt-realtime-mini");
    expect(server.current.headers).toMatchObject({ authorization: `Bearer ${canary}`, "x-team": "blue" });
  });

  it("yields the answer in pieces, its usage and the finish", async () => {
    const { session } = await openSession();
    expect(await collect(session.send("How are you?"))).toEqual<ModelEvent[]>([
      { type: "text", text: "You said " },
      { type: "text", text: "How are you?" },
      { type: "text", text: "." },
      { type: "usage", usage: { input: 36, output: 30, cacheRead: 64, cacheWrite: 0, reasoning: 0 } },
      { type: "finish", reason: "stop", raw: "completed" },
    ]);
  });

  it("sends only what is new, over the same connection", async () => {
    const { session, server } = await openSession();
    await collect(session.send("One."));
    await collect(session.send("Two."));
    expect(server.sockets).toHaveLength(1);
    expect(server.current.told.slice(3).map(({ type }) => type)).toEqual([
      "conversation.item.create",
      "response.create",
      "conversation.item.create",
      "response.create",
    ]);
    expect(server.current.conversation).toEqual([
      ["user", "Hello."],
      ["assistant", "Hello, you."],
      ["user", "One."],
      ["assistant", "You said One.."],
      ["user", "Two."],
      ["assistant", "You said Two.."],
    ]);
  });

  it("sends a long history", async () => {
    const messages = Array.from({ length: 100 }, () => said).flat();
    const { session, server } = await openSession({ request: { ...request, messages } });
    expect((await collect(session.send("Go."))).at(-1)).toMatchObject({ reason: "stop" });
    expect(server.sockets).toHaveLength(1);
    expect(server.current.conversation).toHaveLength(202);
  });

  it("leaves out native blocks of other wires, and empty answers", async () => {
    const native = { provider: "openai", model: "gpt-realtime", data: [{ type: "reasoning" }] };
    const messages: ModelMessage[] = [
      { role: "assistant", content: "Hi.", native },
      { role: "assistant", content: "" },
    ];
    const { server } = await openSession({ request: { ...request, messages } });
    expect(server.current.told[1]?.item).toEqual(item("assistant", "output_text", "Hi."));
    expect(server.current.told).toHaveLength(2);
  });

  it.each([
    { name: "no such key", status: 401, body: errorBody("Incorrect API key"), error: { code: "authentication" } },
    {
      name: "too many requests",
      status: 429,
      headers: { "retry-after": "7" },
      body: errorBody("Slow down"),
      error: { code: "rate_limit", retryAfter: 7, retryable: true },
    },
    {
      name: "a used up quota",
      status: 429,
      body: JSON.stringify({ error: { message: "Pay first.", code: "insufficient_quota" } }),
      error: { code: "rate_limit", retryable: false },
    },
    { name: "a failing server", status: 500, body: "<html>oh no</html>", error: { code: "server" } },
    { name: "a page in its place", status: 200, body: "<html>hello</html>", error: { code: "bad_response" } },
  ])("throws a typed error for $name at the handshake", async ({ error, name, ...refusal }) => {
    const opening = openSession({ refuse: () => refusal });
    await expect(opening).rejects.toMatchObject({ name: "ProviderError", status: refusal.status, ...error });
  });

  it("throws `connection` if nobody listens there", async () => {
    const connect = realtimeConnect(endpointOf(new URL("http://127.0.0.1:1/v1")));
    await expect(connect(request)).rejects.toMatchObject({ code: "connection", retryable: true });
  });

  it("throws the error of a refusal even if its body never ends", async () => {
    const { url } = await serveTcp((socket) => {
      socket.write("HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\nSlow down.");
    });
    const connect = realtimeConnect(endpointOf(new URL(`${url}/v1`), { connect: 3_000 }));
    const failure = await failureOf(connect(request));
    expect(failure).toMatchObject({ code: "rate_limit", status: 429, retryAfter: 7 });
    expect(failure).toHaveProperty("message", expect.stringContaining("Slow down."));
  });

  it("throws `timeout` if the server never begins the session", async () => {
    const server = await realtimeServer({ greet: () => [] });
    const connect = realtimeConnect(endpointOf(server.url, { connect: 1_000 }));
    await expect(connect(request)).rejects.toMatchObject({ code: "timeout" });
    await server.current.closed;
  });

  it("throws the server's error about the fields of the session", async () => {
    const error = { type: "invalid_request_error", message: "No such field: session.moood.", event_id: "event_1" };
    const opening = openSession({
      intercept: ({ type }) => (type === "session.update" ? [{ type: "error", error }] : undefined),
    });
    await expect(opening).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining("moood") });
  });

  it("throws the error of a server that no longer speaks this wire", async () => {
    const error = { type: "invalid_request_error", code: "beta_api_shape_disabled", message: "Gone.", event_id: null };
    const opening = openSession({ greet: () => [{ type: "error", error }] });
    await expect(opening).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining("Gone.") });
  });

  it("stops when the signal aborts, and does not begin if it has aborted before", async () => {
    const server = await realtimeServer({ greet: () => [] });
    const connect = realtimeConnect(endpointOf(server.url));
    const controller = new AbortController();
    const opening = connect(request, { signal: controller.signal });
    await expect.poll(() => server.sockets.length, patience).toBe(1);
    controller.abort();
    await expect(opening).rejects.toMatchObject({ code: "connection", retryable: false });
    await server.current.closed;
    await expect(connect(request, { signal: controller.signal })).rejects.toMatchObject({ code: "connection" });
    expect(server.sockets).toHaveLength(1);
  });

  it.each<[string, Partial<ModelRequest>]>([
    ["native tools", { tools: [{ name: "clock", description: "", parameters: {} }] }],
    ["a format", { format: { type: "object" } }],
    ["stop sequences", { stop: ["\n"] }],
    ["a temperature", { temperature: 0 }],
    ["tool messages", { messages: [{ role: "tool", results: [] }] }],
    ["native calls", { messages: [{ role: "assistant", content: "", calls: [{ id: "a", name: "b", args: {} }] }] }],
  ])("refuses %s", async (_, fields) => {
    const connect = realtimeConnect(endpointOf(new URL("http://127.0.0.1:1/v1")));
    await expect(connect({ ...request, ...fields })).rejects.toMatchObject({ code: "unsupported" });
  });

  it("never shows the key", async () => {
    const echo = `You sent ${canary}.`;
    const failures = await Promise.all([
      failureOf(openSession({ refuse: () => ({ status: 401, body: errorBody(echo), headers: { "x-echo": canary } }) })),
      failureOf(openSession({ greet: () => [errorEvent(null, "bad", echo)] })),
      failureOf(sendTo({ answer: () => ({ before: [errorEvent(null, "bad", echo)] }) })),
      failureOf(sendTo({ answer: () => ({ done: failed("server_error", echo) }) })),
    ]);
    for (const failure of failures) {
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(canary);
      expect(inspect(failure, { depth: 9, showHidden: true })).toContain("[redacted]");
    }
  });
});

describe("realtimeStream", () => {
  it("answers one request over a connection of its own", async () => {
    const server = await realtimeServer();
    const events = await collect(realtimeStream(endpointOf(server.url))(question));
    expect(textOf(events)).toBe("You said How are you?.");
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["usage", "finish"]);
    await server.current.closed;
    expect(server.current.conversation.slice(0, 3)).toEqual([
      ["user", "Hello."],
      ["assistant", "Hello, you."],
      ["user", "How are you?"],
    ]);
  });

  it("ends with `aborted` at any event, and closes the connection", async () => {
    const server = await realtimeServer();
    for (const index of [0, 1, 2, 3]) {
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of realtimeStream(endpointOf(server.url))(question, { signal: controller.signal })) {
        events.push(event);
        if (events.length === index + 1) controller.abort();
      }
      expect(events.filter(({ type }) => type === "usage")).toHaveLength(1);
      expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
      expect(events).toHaveLength(index === 3 ? 5 : index + 3);
      await server.current.closed;
    }
    expect(server.sockets).toHaveLength(4);
  });

  it("estimates the usage of an aborted answer", async () => {
    const server = await realtimeServer({ answer: () => ({ pieces: ["12345678"], hold: true }) });
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of realtimeStream(endpointOf(server.url))(question, { signal: controller.signal })) {
      events.push(event);
      if (event.type === "text") setTimeout(() => controller.abort(), 20);
    }
    expect(events.slice(1)).toEqual<ModelEvent[]>([
      { type: "usage", usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
    await server.current.closed;
    expect(server.current.told.at(-1)).toMatchObject({ type: "response.cancel" });
  });

  it("does not wait for the server when it is aborted", async () => {
    const server = await realtimeServer({ answer: () => ({ hold: true }) });
    const controller = new AbortController();
    for await (const event of realtimeStream(endpointOf(server.url))(question, controller)) {
      if (event.type !== "text" || controller.signal.aborted) continue;
      server.current.socket.pause();
      controller.abort();
    }
    expect(server.current.isOpen).toBe(true);
    server.current.socket.resume();
    await server.current.closed;
  });

  it("makes no request if the signal has aborted before", async () => {
    const server = await realtimeServer();
    const events = await collect(realtimeStream(endpointOf(server.url))(question, { signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: "finish", reason: "aborted" }]);
    expect(server.sockets).toHaveLength(0);
  });

  it("closes the connection when the consumer leaves", async () => {
    const server = await realtimeServer({ answer: () => ({ hold: true }) });
    for await (const event of realtimeStream(endpointOf(server.url))(question)) {
      expect(event.type).toBe("text");
      break;
    }
    await server.current.closed;
  });

  it("leaves no listener on the caller's signal", async () => {
    const server = await realtimeServer();
    const { signal } = new AbortController();
    await collect(realtimeStream(endpointOf(server.url))(question, { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("leaves no socket and no timer", async () => {
    const server = await realtimeServer();
    const before = activeResources();
    for (let round = 0; round < 50; round++) await collect(realtimeStream(endpointOf(server.url))(question));
    await expect.poll(activeResources, patience).toBeLessThanOrEqual(before);
  });

  it("throws `unsupported` unless the last message is the user's", async () => {
    const stream = realtimeStream(endpointOf(new URL("http://127.0.0.1:1/v1")));
    await expect(collect(stream(request))).rejects.toMatchObject({ code: "unsupported" });
  });
});

async function sendTo(options: ServerOptions): Promise<ModelEvent[]> {
  const { session } = await openSession(options);
  return collect(session.send("Go."));
}

function activeResources(): number {
  return process.getActiveResourcesInfo().filter((name) => /Timeout|TCPSocket/.test(name)).length;
}

function item(role: string, type: string, text: string): object {
  return { type: "message", role, content: [{ type, text }] };
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: "invalid_request_error" } });
}
