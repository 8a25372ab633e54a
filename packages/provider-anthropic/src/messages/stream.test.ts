import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { type ModelEvent, type ModelRequest, ProviderError } from "@cogency/provider";
import type { ModelReply } from "@cogency/provider/testkit";
import { eventStream } from "@tooling/loopback";
import { collect } from "@tooling/wires/collect";
import { frame, wire } from "@tooling/wires/messages";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WireRequest, wireServer } from "../../test/support/wire-server.ts";
import { anthropic } from "../anthropic.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Good morning." }] };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const reply: ModelReply = {
  parts: [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Grüß " },
    { type: "text", text: "Gott! 👋" },
    { type: "call", id: "toolu_1", name: "wave", pieces: ['{"hand":', '"left"}'] },
  ],
  usage,
  finish: "tool_calls",
};
const native = [
  { type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" },
  { type: "text", text: "Grüß Gott! 👋" },
  { type: "tool_use", id: "toolu_1", name: "wave", input: { hand: "left" } },
];
const events: ModelEvent[] = [
  { type: "reasoning", text: "Hm." },
  { type: "text", text: "Grüß " },
  { type: "text", text: "Gott! 👋" },
  { type: "tool_call_delta", index: 0, id: "toolu_1", name: "wave", arguments: "" },
  { type: "tool_call_delta", index: 0, arguments: '{"hand":' },
  { type: "tool_call_delta", index: 0, arguments: '"left"}' },
  { type: "tool_call", id: "toolu_1", name: "wave", arguments: '{"hand":"left"}' },
  { type: "usage", usage },
  { type: "finish", reason: "tool_calls", raw: "tool_use", native },
];
const frames = wire.answer(reply);
const saying = (text: string, parts = [{ type: "text" as const, text }]) =>
  wire.answer({ ...reply, parts, finish: "stop" });
const canary = "sk-ant-canary-0123456789";

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("ANTHROPIC_")) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("messagesStream", () => {
  it("streams the answer of the server", async () => {
    const { baseURL } = await wireServer((response) => eventStream(response).end(frames.join("")));
    expect(await collect(anthropic({ baseURL }).stream(request))).toEqual(events);
  });

  it("reads an answer at any cut between bytes and with any line break", async () => {
    const bytes = Buffer.from(frames.join("").replaceAll("\n", "\r\n"));
    const { baseURL } = await wireServer(async (response) => {
      eventStream(response);
      for (const byte of bytes) {
        if (!response.write(Uint8Array.of(byte))) await new Promise((resolve) => response.once("drain", resolve));
      }
      response.end();
    });
    expect(await collect(anthropic({ baseURL }).stream(request))).toEqual(events);
  });

  it("finishes at message_stop and closes the connection without waiting for the server", async () => {
    const closed = Promise.withResolvers<void>();
    const { baseURL } = await wireServer((response) => {
      response.on("close", closed.resolve);
      eventStream(response).write(frames.join(""));
    });
    expect(await collect(anthropic({ baseURL }).stream(request))).toEqual(events);
    await closed.promise;
  });

  it("reuses a connection whose answer ends a moment after message_stop", async () => {
    const { baseURL, requests } = await wireServer((response) => {
      eventStream(response).write(frames.join(""));
      setTimeout(() => response.end(), 2);
    });
    for (let count = 0; count < 10; count++) await collect(anthropic({ baseURL }).stream(request));
    // Not exactly one: on a busy machine the moment may be longer than is waited for.
    expect(new Set(requests.map(({ port }) => port)).size).toBeLessThan(10);
  });

  it("sends the native blocks of its answer back unchanged", async () => {
    const { baseURL, requests } = await wireServer((response) => eventStream(response).end(frames.join("")));
    const model = anthropic({ baseURL });
    const [finish] = (await collect(model.stream(request))).slice(-1);
    const data = finish?.type === "finish" ? finish.native : undefined;
    await collect(
      model.stream({
        ...request,
        messages: [
          ...request.messages,
          {
            role: "assistant",
            content: "Grüß Gott! 👋",
            calls: [{ id: "toolu_1", name: "wave", args: { hand: "left" } }],
            native: { provider: model.name, model: model.model, data: data ?? null },
          },
          { role: "tool", results: [{ id: "toolu_1", name: "wave", content: "Done.", failed: false }] },
        ],
      }),
    );
    expect(requests[1]?.text).toContain(JSON.stringify(native));
  });
});

describe("an answer that the server pauses", () => {
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } };
  const paused = [
    frame({ type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } }),
    frame({ type: "content_block_start", index: 0, content_block: search }),
    frame({ type: "content_block_stop", index: 0 }),
    frame({ type: "message_delta", delta: { stop_reason: "pause_turn" }, usage: { output_tokens: 5 } }),
    frame({ type: "message_stop" }),
  ].join("");

  it("is continued as one answer", async () => {
    const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
    const found = frame({ type: "content_block_start", index: 5, content_block: result });
    const { baseURL, requests } = await wireServer((response, _, count) => {
      eventStream(response).end(count < 3 ? paused : saying("Owls.").toSpliced(2, 0, found).join(""));
    });
    expect(await collect(anthropic({ baseURL, cache: false }).stream(request))).toEqual([
      { type: "text", text: "Owls." },
      { type: "usage", usage: { ...usage, input: 30, output: 15 } },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [search, search, result, { type: "text", text: "Owls." }],
      },
    ]);
    const [question] = requests[0]?.body.messages ?? [];
    expect(requests.map(({ body }) => body.messages)).toEqual([
      [question],
      [question, { role: "assistant", content: [search] }],
      [question, { role: "assistant", content: [search, search] }],
    ]);
  });

  it.each([
    [undefined, "container_7"],
    [
      { skills: [{ type: "anthropic", skill_id: "xlsx" }] },
      { skills: [{ type: "anthropic", skill_id: "xlsx" }], id: "container_7" },
    ],
  ])("is continued in the container where its tools have worked, beside %j", async (container, expected) => {
    const begun = paused.replace('"message":{', '"message":{"container":{"id":"container_7","expires_at":"later"},');
    const { baseURL, requests } = await wireServer((response, _, count) => {
      eventStream(response).end(count === 1 ? begun : count === 2 ? paused : saying("Owls.").join(""));
    });
    await collect(anthropic({ baseURL }).stream({ ...request, ...(container && { options: { container } }) }));
    expect(requests.map(({ body }) => body.container)).toEqual([container, expected, expected]);
  });

  it("is continued at most eight times", async () => {
    const { baseURL, requests } = await wireServer((response) => eventStream(response).end(paused));
    const said = await collect(anthropic({ baseURL }).stream(request));
    // Without native blocks: the server would refuse a search without its result in every later request.
    expect(said.at(-1)).toEqual({ type: "finish", reason: "other", raw: "pause_turn" });
    expect(requests.length).toBe(9);
  });

  it("fails with the text so far if it cannot be continued", async () => {
    const first = saying("Let me see.").join("").replace("end_turn", "pause_turn");
    const { baseURL } = await wireServer((response, _, count) => {
      if (count === 1) eventStream(response).end(first);
      else response.writeHead(529).end(wire.refusal?.(529, "Overloaded."));
    });
    const failure = collect(anthropic({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({ code: "overloaded", status: 529, partial: "Let me see." });
  });
});

describe("aborting messagesStream", () => {
  it("ends at once while the server is silent, with the usage that it reported", async () => {
    const { baseURL } = await wireServer((response) => void eventStream(response).write(frames.slice(0, 4).join("")));
    const controller = new AbortController();
    const said: ModelEvent[] = [];
    for await (const event of anthropic({ baseURL }).stream(request, { signal: controller.signal })) {
      said.push(event);
      setImmediate(() => controller.abort());
    }
    expect(said).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "usage", usage: { ...usage, output: 1, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
  });
});

describe("a failure of messagesStream", () => {
  it.each(["overloaded_error", "rate_limit_error", "api_error", "invalid_request_error"])(
    "that the server tells in its answer, %s, keeps the text before it",
    async (type) => {
      const broken = [...saying("Grüß").slice(0, 4), frame({ type: "error", error: { type, message: "Sorry." } })];
      const { baseURL } = await wireServer((response) => eventStream(response).end(broken.join("")));
      const codes: Record<string, string> = {
        overloaded_error: "overloaded",
        rate_limit_error: "rate_limit",
        api_error: "server",
        invalid_request_error: "bad_request",
      };
      await expect(collect(anthropic({ baseURL }).stream(request))).rejects.toMatchObject({
        code: codes[type],
        partial: "Grüß",
        retryable: type !== "invalid_request_error",
        message: expect.stringContaining("Sorry."),
      });
    },
  );

  it("is a bad response if the server answers with a web page", async () => {
    const { baseURL } = await wireServer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome!</html>"),
    );
    const failure = collect(anthropic({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({
      code: "bad_response",
      message: expect.stringContaining("text/html"),
    });
  });

  it("is not retried", async () => {
    const { baseURL, requests } = await wireServer((response) => void response.writeHead(500).end("{}"));
    await expect(collect(anthropic({ baseURL }).stream(request))).rejects.toMatchObject({
      code: "server",
      status: 500,
    });
    expect(requests.length).toBe(1);
  });

  it.each([
    ["in a refusal", (response: ServerResponse) => response.writeHead(401).end(wire.refusal?.(401, quote))],
    ["in a page", (response: ServerResponse) => response.writeHead(500).end(`<html>${quote}</html>`)],
    ["in the answer", (response: ServerResponse) => eventStream(response).end(wire.failure?.(quote))],
    [
      "in broken JSON",
      (response: ServerResponse) => eventStream(response).end(`event: message_start\ndata: {${quote}\n\n`),
    ],
    [
      "in the address",
      (response: ServerResponse, { path }: WireRequest) => response.writeHead(404).end(`Cannot POST ${path}`),
    ],
  ])("never holds a key, a header or a query value that the server quotes %s", async (_, answer) => {
    const { baseURL } = await wireServer((response, request) => void answer(response, request));
    vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", `X-First: 1\nX-Custom: ${secrets.custom}`);
    const model = anthropic({
      baseURL: `${baseURL}?token=${encodeURIComponent(secrets.query)}`,
      apiKey: canary,
      headers: { "x-secret": secrets.header },
    });
    const error = await collect(model.stream(request)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/canary/);
  });
});

const secrets = { custom: "custom-canary-1", query: "query+canary/2=", header: "header-canary-3" };
const quote = `Not with ${canary}, ${Object.values(secrets).join(", ")}.`;
