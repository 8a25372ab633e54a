import { inspect } from "node:util";
import { type ModelRequest, ProviderError } from "@cogency/provider";
import { closedPort, eventStream } from "@tooling/loopback";
import { dataEvent, deltaEvent, doneEvent } from "@tooling/wires/chat-events";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { wireServer } from "../../test/support/wire-server.ts";
import { openai } from "../openai.ts";
import type { OpenAIOptions } from "../options.ts";

const key = "sk-canary-0123456789";
const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };

describe("a Chat Completions answer that fails", () => {
  it.each<{ status: number; headers?: Record<string, string>; body?: object; error: object }>([
    { status: 400, error: { code: "bad_request", retryable: false } },
    { status: 401, error: { code: "authentication", retryable: false } },
    { status: 429, headers: { "retry-after": "7" }, error: { code: "rate_limit", retryable: true, retryAfter: 7 } },
    {
      status: 429,
      body: { error: { message: "Pay.", code: "insufficient_quota" } },
      error: { code: "rate_limit", retryable: false },
    },
    { status: 503, error: { code: "overloaded", retryable: true } },
  ])("is $error.code with status $status $headers $body", async ({ status, headers, body, error }) => {
    const { baseURL } = await wireServer((response) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body ?? { error: { message: "The server's own words." } })),
    );
    expect(await failure({ baseURL })).toMatchObject({ status, ...error });
  });

  it.each([
    { body: '{"error":{"message":"No such model."}}', words: "No such model." },
    { body: '{"error":"model not found"}', words: "model not found" },
    { body: "plain words", words: "plain words" },
    { body: "x".repeat(5_000), words: `${"x".repeat(100)}` },
  ])("has the server's words, from $body", async ({ body, words }) => {
    const { baseURL } = await wireServer((response) => response.writeHead(404).end(body));
    const { message } = await failure({ baseURL });
    expect(message).toContain(words);
    expect(message).toContain("HTTP 404");
    expect(message.length).toBeLessThan(700);
  });

  it.each([
    {
      payload: { error: { message: "Overloaded.", type: "server_error" } },
      error: { code: "server", retryable: true },
    },
    { payload: { error: { message: "Upstream failed.", code: 502 } }, error: { code: "server", retryable: true } },
    { payload: { error: { message: "Slow down.", code: 429 } }, error: { code: "rate_limit", retryable: true } },
    { payload: { error: { message: "Busy.", code: 503 } }, error: { code: "overloaded", retryable: true } },
    {
      payload: { error: { message: "Too long.", type: "invalid_request_error" } },
      error: { code: "bad_request", retryable: false },
    },
    { payload: { error: { message: "Wrong.", code: 400 } }, error: { code: "bad_request", retryable: false } },
  ])("reads $payload inside a successful stream as $error.code", async ({ payload, error }) => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).end(
        deltaEvent({ content: "Hel" }) + dataEvent(payload) + deltaEvent({ content: "lo" }, "stop"),
      ),
    );
    const thrown = await failure({ baseURL });
    expect(thrown).toMatchObject({ ...error, partial: "Hel" });
    expect(thrown.message).toContain(payload.error.message);
  });

  it.each<{ payload: object; words: string; error: object }>([
    {
      payload: { object: "error", message: "The context is full.", type: "BadRequestError", code: 400 },
      words: "The context is full.",
      error: { code: "bad_request", retryable: false },
    },
    { payload: { code: 503, message: "Busy." }, words: "Busy.", error: { code: "overloaded", retryable: true } },
    { payload: { detail: "Out of memory." }, words: "off: Out of memory.", error: { code: "server", retryable: true } },
    { payload: { detail: [{ msg: "Too long." }] }, words: "Too long.", error: { code: "server", retryable: true } },
    { payload: { type: "error", message: "Sorry." }, words: "Sorry.", error: { code: "server", retryable: true } },
    {
      payload: { choices: [{ delta: {}, finish_reason: "error", error: { code: 429, message: "Later." } }] },
      words: "Later.",
      error: { code: "rate_limit", retryable: true },
    },
  ])("reads $payload in the stream as what it says", async ({ payload, words, error }) => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).end(deltaEvent({ content: "Hel" }) + dataEvent(payload) + doneEvent),
    );
    const thrown = await failure({ baseURL });
    expect(thrown).toMatchObject({ ...error, partial: "Hel" });
    expect(thrown.message).toContain(words);
  });

  it("reads the field `error` of older servers", async () => {
    const body = JSON.stringify({ code: 400, message: "The context is full.", type: "invalid_request_error" });
    const { baseURL } = await wireServer((response) => eventStream(response).end(`error: ${body}\n\n${doneEvent}`));
    const thrown = await failure({ baseURL });
    expect(thrown).toMatchObject({ code: "bad_request", retryable: false });
    expect(thrown.message).toContain("The context is full.");
  });

  it("reads DeepSeek's finish reason for an interrupted answer as overloaded", async () => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).end(deltaEvent({ content: "Hel" }, "insufficient_system_resource") + doneEvent),
    );
    expect(await failure({ baseURL })).toMatchObject({ code: "overloaded", retryable: true, partial: "Hel" });
  });

  it("reads an event that is not JSON as a cut stream, and prints nothing", async () => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).end(`${deltaEvent({ content: "Hel" })}data: {oops\n\n`),
    );
    expect(await failure({ baseURL })).toMatchObject({ code: "cut_stream", partial: "Hel" });
  });

  it.each(["null", "[]", '"text"', '{"choices":{}}'])(
    "says so when an event in the stream is %s, and keeps the text",
    async (data) => {
      const { baseURL } = await wireServer((response) =>
        eventStream(response).end(`${deltaEvent({ content: "Hel" })}data: ${data}\n\n`),
      );
      const error = await failure({ baseURL });
      expect(error).toMatchObject({ code: "bad_response", partial: "Hel", retryable: false });
      expect(error.message).toMatch(/sent an event that is no piece of an answer/);
    },
  );

  it("says who refused a connection", async () => {
    const port = await closedPort();
    const error = await failure({ baseURL: `http://127.0.0.1:${port}/v1` });
    expect(error).toMatchObject({ code: "connection", retryable: true, status: undefined });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).toContain("ECONNREFUSED");
  });

  it.each([
    { limit: "firstByte", answer: () => {} },
    { limit: "idle", answer: (response) => eventStream(response).write(deltaEvent({ content: "Hel" })) },
    { limit: "total", answer: (response) => eventStream(response).write(deltaEvent({ content: "Hel" })) },
  ] satisfies { limit: string; answer: Parameters<typeof wireServer>[0] }[])(
    "gives up when the limit $limit is reached",
    async ({ limit, answer }) => {
      const { baseURL } = await wireServer(answer);
      expect(await failure({ baseURL, timeouts: { [limit]: 50 } })).toMatchObject({ code: "timeout", retryable: true });
    },
  );

  describe("never shows a key", () => {
    const echo = (text: string) => ({ error: { message: `not accepted: ${text}`, param: text, code: text } });

    it.each<{ name: string; options?: OpenAIOptions; answer: Parameters<typeof wireServer>[0] }>([
      {
        name: "that the server quotes in a refusal",
        answer: (response, { headers }) =>
          response
            .writeHead(401, { "x-request-id": key, "set-cookie": key })
            .end(JSON.stringify(echo(headers.authorization ?? ""))),
      },
      {
        name: "that the server quotes in a page",
        answer: (response, { headers }) => response.writeHead(500).end(`<pre>${headers.authorization}</pre>`),
      },
      {
        name: "that the server quotes in the stream",
        answer: (response, { headers }) => eventStream(response).end(dataEvent(echo(headers.authorization ?? ""))),
      },
      {
        name: "that stands where a long message is cut",
        answer: (response) => response.writeHead(500).end(`${"x".repeat(485)}${key}`),
      },
      {
        name: "that came in a header",
        options: { apiKey: "sk-another-one", headers: { "api-key": key } },
        answer: (response, { headers }) =>
          response.writeHead(403).end(JSON.stringify(echo(String(headers["api-key"])))),
      },
      { name: "that no header can hold", options: { apiKey: `${key}\n${key}` }, answer: () => {} },
      { name: "when the connection breaks", answer: (response) => response.destroy() },
      {
        name: "when the answer is cut",
        answer: (response) => eventStream(response).write(deltaEvent({ content: "a" }), () => response.destroy()),
      },
      { name: "when the server is not of this kind", answer: (response) => response.end(key) },
    ])("$name", async ({ options, answer }) => {
      const { baseURL } = await wireServer((response, incoming) => answer(response, incoming));
      const error = await failure({ apiKey: key, ...options, baseURL });
      expect(everythingIn(error)).not.toContain("canary");
      expect(everythingIn(error)).toContain("ProviderError");
    });

    it("that is in the address", async () => {
      const { baseURL } = await wireServer((response, { url }) => response.writeHead(404).end(`no ${url}`));
      const withKeys = `${baseURL}?key=${key}&other=canary%2F0123456789`;
      expect(everythingIn(await failure({ baseURL: withKeys }))).not.toContain("canary");
    });
  });
});

async function failure(options: OpenAIOptions): Promise<ProviderError> {
  const error = await collect(openai({ apiKey: key, ...options }).stream(request)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  return error;
}

/** All that any logger could print of an error. */
function everythingIn(error: Error): string {
  return [
    String(error),
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
    error.cause instanceof Error ? everythingIn(error.cause) : String(error.cause),
  ].join("\n");
}
