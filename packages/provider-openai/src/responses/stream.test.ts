import { inspect } from "node:util";
import type { ModelMessage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { inPieces, type ModelReply, startWireServer, type WireServer } from "@cogency/provider/testkit";
import { eventStream } from "@tooling/loopback";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished } from "vitest";
import { responsesEvent, responsesProvider, responsesWire } from "../../test/support/responses-wire.ts";
import { wireServer } from "../../test/support/wire-server.ts";

const apiKey = "sk-canary-0123456789";
const request: ModelRequest = { system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };
const usage = { input: 7, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 2 };
const reply: ModelReply = {
  parts: [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "I " },
    { type: "text", text: "look." },
    { type: "call", id: "call_1", name: "find", pieces: ['{"q":', "1}"] },
  ],
  usage,
  finish: "tool_calls",
};

describe("responsesStream", () => {
  it("posts one request to the path of the wire", async () => {
    const server = await serverOf(200, responsesWire.answer(reply));
    await collect(streamOf(server));
    const [exchange] = server.exchanges;
    expect(exchange?.request).toMatchObject({ method: "POST", path: "/v1/responses" });
    expect(exchange?.request.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(JSON.parse(exchange?.request.body ?? "")).toEqual({
      model: "gpt-5.5",
      instructions: "Be brief.",
      input: [{ role: "user", content: "Hi" }],
      store: false,
      include: ["reasoning.encrypted_content"],
      stream: true,
    });
  });

  it("yields the pieces, the whole call, the usage and the finish with its native items", async () => {
    const server = await serverOf(200, responsesWire.answer(reply));
    expect(await collect(streamOf(server))).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "I " },
      { type: "text", text: "look." },
      { type: "tool_call_delta", index: 0, id: "call_1", name: "find", arguments: "" },
      { type: "tool_call_delta", index: 0, arguments: '{"q":' },
      { type: "tool_call_delta", index: 0, arguments: "1}" },
      { type: "tool_call", id: "call_1", name: "find", arguments: '{"q":1}' },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "tool_calls",
        raw: "completed",
        native: [
          expect.objectContaining({ type: "reasoning", id: "rs_0", encrypted_content: "encrypted-0" }),
          expect.objectContaining({ type: "message", id: "msg_1" }),
          expect.objectContaining({ type: "function_call", call_id: "call_1" }),
        ],
      },
    ]);
  });

  it("reuses connections if the server ends its answers soon", async () => {
    const ports = new Set<number | undefined>();
    const { baseURL } = await wireServer((response, { socket }) => {
      ports.add(socket.remotePort);
      // The end of the body comes by itself, after the terminal event.
      eventStream(response).write(responsesWire.answer(reply).join(""), () => setTimeout(() => response.end(), 1));
    });
    const { stream } = responsesProvider({ url: new URL(baseURL).origin, apiKey });
    for (let round = 0; round < 20; round++) await collect(stream(request));
    expect(ports.size).toBeLessThan(10);
  });

  it("marks the usage of an aborted answer as estimated", async () => {
    const server = await startServer();
    server.respond(inPieces([responsesWire.answer(reply).slice(0, -1).join("")], { ending: "hold" }));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of streamOf(server, request, controller.signal)) {
      events.push(event);
      if (textOf(events) === "I look.") controller.abort();
    }
    expect(events.slice(-3)).toEqual([
      { type: "text", text: "look." },
      { type: "usage", usage: estimateUsage(request, "Hm.I look.") },
      { type: "finish", reason: "aborted" },
    ]);
  });

  it.each([
    {
      event: {
        type: "response.failed",
        response: { error: { code: "rate_limit_exceeded", message: `No, ${apiKey}` } },
      },
      error: { code: "rate_limit", retryable: true },
    },
    {
      event: { type: "response.failed", response: { error: { code: "server_error", message: apiKey } } },
      error: { code: "server", retryable: true },
    },
    {
      event: { type: "response.failed", response: { error: { code: "invalid_prompt", message: apiKey } } },
      error: { code: "bad_request", retryable: false },
    },
    { event: { type: "response.failed", response: { error: null } }, error: { code: "server", retryable: true } },
    {
      event: { type: "error", code: "context_length_exceeded", message: apiKey, param: null },
      error: { code: "bad_request", retryable: false },
    },
    {
      event: { type: "error", error: { type: "overloaded_error", message: apiKey } },
      error: { code: "overloaded", retryable: true },
    },
  ])("makes $event an error with the partial text and without keys", async ({ event, error }) => {
    for (const bytes of [responsesEvent(event), `data: ${JSON.stringify(event)}\n\n`]) {
      const thrown = await failureOf(await serverOf(200, [...responsesWire.answer(reply).slice(0, -1), bytes]));
      expect(thrown).toMatchObject({ name: "ProviderError", partial: "I look.", ...error });
      expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain(apiKey);
    }
  });

  it("refuses events without a type, and a call without a name", async () => {
    expect(await failureOf(await serverOf(200, ['data: {"choices":[]}\n\n']))).toMatchObject({ code: "bad_response" });
    const nameless = responsesWire.answer({
      ...reply,
      parts: [{ type: "call", id: "call_1", name: "", pieces: ["{}"] }],
    });
    expect(await failureOf(await serverOf(200, nameless))).toMatchObject({ code: "bad_response" });
  });

  it("reads an error without a type", async () => {
    const failure = await failureOf(await serverOf(200, ['data: {"detail":"Out of memory."}\n\n']));
    expect(failure).toMatchObject({ code: "server", message: expect.stringContaining("Out of memory.") });
  });

  it("reads the answer of a server that does not stream", async () => {
    const server = await startServer();
    const output = [{ type: "message", content: [{ type: "output_text", text: "Hello." }] }];
    const whole = { object: "response", status: "completed", output, usage: { input_tokens: 3, output_tokens: 2 } };
    server.respond(inPieces([JSON.stringify(whole)], { headers: { "content-type": "application/json" } }));
    expect(await collect(streamOf(server))).toMatchObject([
      { type: "text", text: "Hello." },
      { type: "usage", usage: { input: 3, output: 2 } },
      { type: "finish", reason: "stop", raw: "completed" },
    ]);
  });

  it.each([
    ["an error", '{"error":{"message":"Overloaded.","type":"overloaded"}}', "overloaded", "Overloaded."],
    ["something else", '{"status":"ok"}', "bad_response", "does not speak the Responses API"],
    ["a page", "<html></html>", "bad_response", "Check `baseURL`"],
  ])("says what is wrong with a success that holds %s", async (_, body, code, words) => {
    const server = await startServer();
    server.respond(inPieces([body], { headers: { "content-type": "application/json" } }));
    expect(await failureOf(server)).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  describe("when a part of the request is refused", () => {
    const refused = { message: "Encrypted content is not supported with this model.", param: "include" };
    const includes = (server: WireServer) => bodies(server).map(({ include }) => include !== undefined);

    it("does not ask for the reasoning of models that have none, and remembers them", async () => {
      const server = await serverThatRefuses((body) => (body.include && body.model === "gpt-4o" ? refused : undefined));
      const stream = responsesProvider({ url: server.url, apiKey }).stream;
      for (const model of ["gpt-4o", "gpt-4o", "gpt-5.5"]) await collect(stream({ ...request, model }));
      expect(includes(server)).toEqual([true, false, false, true]);
    });

    it("does not remove fields that the caller set", async () => {
      const server = await serverThatRefuses((body) => (body.include ? refused : undefined));
      const options = { include: ["reasoning.encrypted_content"] };
      await expect(collect(streamOf(server, { ...request, options }))).rejects.toMatchObject({ code: "bad_request" });
      expect(server.exchanges).toHaveLength(1);
    });

    it("remembers nothing of a refusal that had another cause", async () => {
      let isBroken = true;
      const server = await serverThatRefuses(() => (isBroken ? refused : undefined));
      const stream = responsesProvider({ url: server.url, apiKey }).stream;
      await expect(collect(stream(request))).rejects.toMatchObject({ code: "bad_request", status: 400 });
      isBroken = false;
      await collect(stream(request));
      expect(includes(server)).toEqual([true, false, true]);
    });

    it("leaves out reasoning items that the server cannot read, and remembers them", async () => {
      const unreadable = { message: "The content of rs_old could not be verified.", code: "invalid_encrypted_content" };
      const server = await serverThatRefuses((body) =>
        /"rs_old"/.test(JSON.stringify(body)) ? unreadable : undefined,
      );
      const stream = responsesProvider({ url: server.url, apiKey }).stream;
      const messages = [...answered("rs_old"), ...answered("rs_new")];
      for (let round = 0; round < 2; round++) await collect(stream({ ...request, messages }));
      const sent = server.exchanges.map(({ request: { body } }) => body.match(/rs_\w+/g));
      expect(sent).toEqual([["rs_old", "rs_new"], ["rs_new"], ["rs_new"]]);
    });
  });
});

async function startServer(): Promise<WireServer> {
  const server = await startWireServer();
  onTestFinished(() => server.close());
  return server;
}

async function serverOf(status: number, frames: readonly string[]): Promise<WireServer> {
  const server = await startServer();
  server.respond(inPieces([frames.join("")], { status }));
  return server;
}

type Body = { model: string; include?: unknown };

/** A server that gives the reply, unless the body is refused with an error. */
async function serverThatRefuses(judge: (body: Body) => object | undefined): Promise<WireServer> {
  const server = await startServer();
  server.respond((exchange) => {
    const error = judge(JSON.parse(exchange.request.body));
    if (!error) return inPieces([responsesWire.answer(reply).join("")], {})(exchange);
    const headers = { "content-type": "application/json" };
    return inPieces([JSON.stringify({ error })], { status: 400, headers })(exchange);
  });
  return server;
}

function bodies(server: WireServer): Body[] {
  return server.exchanges.map(({ request: { body } }) => JSON.parse(body));
}

function streamOf({ url }: WireServer, asked = request, signal?: AbortSignal): AsyncIterable<ModelEvent> {
  return responsesProvider({ url, apiKey }).stream(asked, { signal });
}

function failureOf(server: WireServer): Promise<unknown> {
  return collect(streamOf(server)).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function answered(id: string): ModelMessage[] {
  const data = [
    { type: "reasoning", id, encrypted_content: "gAAA" },
    { type: "message", content: [{ type: "output_text", text: "42" }] },
  ];
  return [
    { role: "assistant", content: "42", native: { provider: "openai", model: "gpt-5.5", data } },
    { role: "user", content: "And now?" },
  ];
}
