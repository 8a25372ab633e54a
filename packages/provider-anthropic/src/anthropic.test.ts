import type { ServerResponse } from "node:http";
import type { ModelRequest } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { collect, textOf } from "@tooling/wires/collect";
import { wire } from "@tooling/wires/messages";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { wireServer } from "../test/support/wire-server.ts";
import { anthropic } from "./anthropic.ts";
import type { AnthropicOptions } from "./options.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Good morning." }] };
const saying = (text: string) =>
  wire.answer({
    parts: [{ type: "text", text }],
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: "stop",
  });
const canary = "sk-ant-canary-0123456789";

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("ANTHROPIC_")) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the request of anthropic", () => {
  const answer = (response: ServerResponse) => void eventStream(response).end(saying("ok").join(""));

  it("goes to /v1/messages below the base URL, with key, version, betas and headers", async () => {
    const { baseURL, requests } = await wireServer(answer);
    const model = anthropic({
      baseURL: `${baseURL}/proxy/?tenant=7`,
      apiKey: ` ${canary}\n`,
      betas: ["one-2026", "two-2026"],
      headers: { "x-trace": "abc" },
    });
    await collect(model.stream(request));
    expect(requests[0]?.path).toBe("/proxy/v1/messages?tenant=7");
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${canary}`,
      "anthropic-version": expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      "anthropic-beta": "one-2026,two-2026",
      "x-trace": "abc",
    });
    expect(requests[0]?.headers).not.toHaveProperty("x-api-key");
  });

  it("has no key if none is configured", async () => {
    const { baseURL, requests } = await wireServer(answer);
    await collect(anthropic({ baseURL }).stream(request));
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["ANTHROPIC_API_KEY", { ANTHROPIC_API_KEY: canary, ANTHROPIC_AUTH_TOKEN: "another-token" }],
    ["a numbered ANTHROPIC_API_KEY", { ANTHROPIC_API_KEY_1: canary }],
    ["ANTHROPIC_AUTH_TOKEN", { ANTHROPIC_AUTH_TOKEN: canary }],
  ])("takes server and key from the environment: %s", async (_, environment) => {
    const { baseURL, requests } = await wireServer(answer);
    vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    await collect(anthropic().stream(request));
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${canary}`);
  });

  it.each<{ where: string; options: AnthropicOptions; base?: string; sent?: string[] }>([
    { where: "Anthropic's own host", options: {}, sent: ["header-of-anthropic", "key-of-anthropic"] },
    {
      where: "the host of ANTHROPIC_BASE_URL",
      base: "https://proxy.example",
      options: {},
      sent: ["header-of-anthropic", "key-of-anthropic"],
    },
    {
      where: "the host of ANTHROPIC_BASE_URL, given as an option",
      base: "https://proxy.example",
      options: { baseURL: "https://proxy.example/claude" },
      sent: ["header-of-anthropic", "key-of-anthropic"],
    },
    {
      where: "a host with its own key",
      options: { baseURL: "https://llm.example", apiKey: "given-key" },
      sent: ["given-key"],
    },
    { where: "another host", options: { baseURL: "https://llm.example" } },
    { where: "this machine", options: { baseURL: "http://localhost:8080" } },
    { where: "another machine", options: { baseURL: "http://192.168.1.5:8080" } },
    {
      where: "a host other than that of ANTHROPIC_BASE_URL",
      base: "https://proxy.example",
      options: { baseURL: "https://llm.example" },
    },
    {
      where: "another port of Anthropic's host",
      options: { baseURL: "https://api.anthropic.com:8443", apiKey: "given-key" },
      sent: ["given-key"],
    },
    {
      where: "a host whose name begins like Anthropic's",
      options: { baseURL: "https://api.anthropic.com.evil.example" },
    },
    { where: "a host whose name ends like Anthropic's", options: { baseURL: "https://evil-api.anthropic.com" } },
  ])("sends to $where only the key and headers that belong there: $sent", async ({ options, base = "", sent = [] }) => {
    const environment = {
      ANTHROPIC_API_KEY: "key-of-anthropic",
      ANTHROPIC_API_KEY_1: "second-key-of-anthropic",
      ANTHROPIC_AUTH_TOKEN: "token-of-anthropic",
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_CUSTOM_HEADERS: "X-Secret: header-of-anthropic",
      ANTHROPIC_ORGANIZATION_ID: "organization-of-anthropic",
      ANTHROPIC_WORKSPACE_ID: "workspace-of-anthropic",
      ANTHROPIC_WEBHOOK_SIGNING_KEY: "webhook-of-anthropic",
      ANTHROPIC_PROFILE: "profile-of-anthropic",
      OPENAI_API_KEY: "key-of-openai",
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { url, headers } = new Request(input, init);
      requests.push(JSON.stringify([url, [...headers]]));
      return new Response(saying("ok").join(""), { headers: { "content-type": "text/event-stream" } });
    };
    await collect(anthropic({ ...options, fetch }).stream(request));
    const said = requests.join().match(/[\w-]*-of-\w+|given-key/g) ?? [];
    expect(said.toSorted()).toEqual([...sent].toSorted());
  });

  it.each<AnthropicOptions>([
    { baseURL: "http://llm.example", apiKey: "given-key" },
    { baseURL: "http://api.anthropic.com", apiKey: "given-key" },
    { baseURL: "http://192.168.1.5:8080", headers: { "x-team": "secret" } },
    { baseURL: "http://llm.example?key=secret" },
  ])("sends no secret unencrypted to another machine: %j", (options) => {
    expect(() => anthropic(options)).toThrow(expect.objectContaining({ code: "insecure", retryable: false }));
    expect(() => anthropic({ ...options, allowInsecure: true })).not.toThrow();
  });

  it("does not send the headers of the environment unencrypted to another machine", () => {
    vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", "x-secret: header-of-anthropic");
    vi.stubEnv("ANTHROPIC_BASE_URL", "http://llm.example");
    expect(() => anthropic()).toThrow(expect.objectContaining({ code: "insecure" }));
  });

  it("reports that the key of the environment was not sent to a server that requires one", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "key-of-anthropic");
    const { baseURL } = await wireServer((response) => response.writeHead(401).end("No key."));
    const failure = collect(anthropic({ baseURL }).stream(request));
    await expect(failure).rejects.toThrow("The key in ANTHROPIC_API_KEY belongs to another server and was not sent");
  });

  it("names the environment variable that is not an address", () => {
    vi.stubEnv("ANTHROPIC_BASE_URL", "localhost");
    const problem = { code: "bad_request", message: expect.stringContaining("`ANTHROPIC_BASE_URL`") };
    expect(() => anthropic()).toThrow(expect.objectContaining(problem));
  });

  it("is made with the given `fetch`, and without a temperature for Anthropic's own API", async () => {
    const bodies: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      bodies.push(url, JSON.parse(String(init?.body)));
      return new Response(saying("ok").join(""), { headers: { "content-type": "text/event-stream" } });
    };
    const said = await collect(anthropic({ apiKey: canary, fetch }).stream({ ...request, temperature: 0 }));
    expect(textOf(said)).toBe("ok");
    expect(bodies).toEqual(["https://api.anthropic.com/v1/messages", expect.not.objectContaining({ temperature: 0 })]);
  });

  it("holds the temperature for another server", async () => {
    const { baseURL, requests } = await wireServer(answer);
    await collect(anthropic({ baseURL }).stream({ ...request, temperature: 0 }));
    expect(requests[0]?.body).toHaveProperty("temperature", 0);
  });

  it("uses the next key when one is refused with 429", async () => {
    const { baseURL, requests } = await wireServer((response, { headers }) => {
      if (headers.authorization === "Bearer first-key") response.writeHead(429).end(wire.refusal?.(429, "Too many."));
      else answer(response);
    });
    const said = await collect(anthropic({ baseURL, apiKey: ["first-key", "second-key"] }).stream(request));
    expect(said[0]).toMatchObject({ type: "retry", code: "rate_limit" });
    expect(textOf(said)).toBe("ok");
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer first-key", "Bearer second-key"]);
  });

  it("is made without a key only to servers other than Anthropic's", () => {
    expect(() => anthropic()).toThrow(expect.objectContaining({ code: "missing_key" }));
    expect(() => anthropic({ apiKey: [" "] })).toThrow(expect.objectContaining({ code: "missing_key" }));
    expect(() => anthropic({ baseURL: "http://localhost:1" })).not.toThrow();
  });

  it("writes nothing to the console, even for a model that the SDK warns of or with its log enabled", async () => {
    const { baseURL } = await wireServer(answer);
    vi.stubEnv("ANTHROPIC_LOG", "debug");
    const spies = (["debug", "info", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
    await collect(anthropic({ baseURL, model: "claude-sonnet-4-5" }).stream(request));
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});
