import type { IncomingMessage } from "node:http";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { deltaEvent, doneEvent } from "@tooling/wires/chat-events";
import { collect } from "@tooling/wires/collect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { wireServer } from "../test/support/wire-server.ts";
import { openai } from "./openai.ts";
import type { OpenAIOptions } from "./options.ts";
import type { PresetName } from "./presets.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const hello = deltaEvent({ content: "Hello." }, "stop") + doneEvent;
const helloEvents: ModelEvent[] = [
  { type: "text", text: "Hello." },
  { type: "finish", reason: "stop", raw: "stop" },
];

beforeEach(() => {
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"]) {
    vi.stubEnv(name, "");
  }
});
afterEach(() => vi.unstubAllEnvs());

describe("openai", () => {
  describe("its key", () => {
    it("must be there when the server is OpenAI's, before any request", () => {
      expect(() => openai()).toThrow(expect.objectContaining({ code: "missing_key", retryable: false }));
      expect(() => openai({ apiKey: " " })).toThrow("OPENAI_API_KEY");
    });

    it("comes from the environment, as does the server, and from the options before that", async () => {
      const { baseURL, requests } = await chatServer();
      vi.stubEnv("OPENAI_API_KEY", "key-of-the-environment");
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      await collect(openai().stream(request));
      await collect(openai({ apiKey: "key-of-the-options" }).stream(request));
      expect(authorizations(requests)).toEqual(["Bearer key-of-the-environment", "Bearer key-of-the-options"]);
    });

    it("is not needed for another server, and none is sent then", async () => {
      const { baseURL, requests } = await chatServer();
      await collect(openai({ baseURL }).stream(request));
      await collect(openai({ baseURL, headers: { Authorization: "Basic of-the-headers" } }).stream(request));
      await collect(
        openai({ baseURL, apiKey: "k", headers: { authorization: "Basic of-the-headers" } }).stream(request),
      );
      expect(authorizations(requests)).toEqual([undefined, "Basic of-the-headers", "Basic of-the-headers"]);
    });

    it.each<{
      name: string;
      options: OpenAIOptions;
      environment: Record<string, string>;
    }>([
      { name: "the option", options: { apiKey: ["key-number-a", "key-number-b"] }, environment: {} },
      {
        name: "the environment",
        options: {},
        environment: { OPENAI_API_KEY: "key-number-a", OPENAI_API_KEY_1: "key-number-b" },
      },
      {
        name: "the environment of a preset",
        options: { preset: "openrouter" },
        environment: {
          OPENROUTER_API_KEY: "key-number-a",
          OPENROUTER_API_KEY_1: "key-number-b",
          OPENAI_API_KEY: "key-number-c",
        },
      },
    ])("is another key of $name once the server limits the first", async ({ options, environment }) => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      const { fetch, authorizations } = recordedFetch("Bearer key-number-a");
      const model = openai({ api: "chat", ...options, fetch });
      const events = await collect(model.stream(request));
      expect(events[0]).toMatchObject({ type: "retry", code: "rate_limit", delay: 0 });
      expect(JSON.stringify(events)).not.toMatch(/key-number/);
      expect(events.slice(1)).toEqual(helloEvents);
      await collect(model.stream(request));
      expect(authorizations).toEqual(["Bearer key-number-a", "Bearer key-number-b", "Bearer key-number-b"]);
    });
  });

  describe("its key on the network", () => {
    const everything = {
      OPENAI_API_KEY: "key-of-openai",
      OPENAI_API_KEY_1: "second-key-of-openai",
      OPENAI_ADMIN_KEY: "admin-key-of-openai",
      OPENAI_ORG_ID: "organization-of-openai",
      OPENAI_PROJECT_ID: "project-of-openai",
      OPENAI_WEBHOOK_SECRET: "webhook-of-openai",
      OPENAI_CUSTOM_HEADERS: "x-secret: header-of-openai\nAuthorization: Bearer header-of-openai",
      OPENROUTER_API_KEY: "key-of-openrouter",
      DEEPSEEK_API_KEY: "key-of-deepseek",
      ANTHROPIC_API_KEY: "key-of-anthropic",
    };

    it.each<{ where: string; options: OpenAIOptions; base?: string; key?: string }>([
      { where: "OpenAI's own host", options: {}, key: "key-of-openai" },
      {
        where: "OpenAI's own host, given as an option",
        options: { baseURL: "https://api.openai.com/v1" },
        key: "key-of-openai",
      },
      { where: "a region of OpenAI's", options: { baseURL: "https://eu.api.openai.com/v1" }, key: "key-of-openai" },
      { where: "the host of OPENAI_BASE_URL", base: "https://proxy.example/v1", options: {}, key: "key-of-openai" },
      {
        where: "the host of OPENAI_BASE_URL, given as an option",
        base: "https://proxy.example/v1",
        options: { baseURL: "https://proxy.example/other" },
        key: "key-of-openai",
      },
      {
        where: "a host with its own key",
        options: { baseURL: "https://llm.example/v1", apiKey: "given-key" },
        key: "given-key",
      },
      { where: "another host", options: { baseURL: "https://llm.example/v1" } },
      { where: "this machine", options: { baseURL: "http://localhost:11434/v1" } },
      { where: "another machine", options: { baseURL: "http://192.168.1.5:11434/v1" } },
      {
        where: "a host other than that of OPENAI_BASE_URL",
        base: "https://proxy.example/v1",
        options: { baseURL: "https://llm.example/v1" },
      },
      {
        where: "another port of the host of OPENAI_BASE_URL",
        base: "https://proxy.example/v1",
        options: { baseURL: "https://proxy.example:444/v1" },
      },
      {
        where: "a part of the host of OPENAI_BASE_URL",
        base: "https://proxy.example/v1",
        options: { baseURL: "https://sub.proxy.example/v1" },
      },
      {
        where: "a host whose name begins like OpenAI's",
        options: { baseURL: "https://api.openai.com.evil.example/v1" },
      },
      { where: "a host whose name ends like OpenAI's", options: { baseURL: "https://evilapi.openai.com/v1" } },
      { where: "a host with OpenAI's in its path", options: { baseURL: "https://evil.example/api.openai.com/v1" } },
      { where: "OpenAI's name with a dot behind it", options: { baseURL: "https://api.openai.com./v1" } },
      { where: "a preset", options: { preset: "openrouter" }, key: "key-of-openrouter" },
      {
        where: "a preset at its own address, given",
        options: { preset: "deepseek", baseURL: "https://api.deepseek.com/beta" },
        key: "key-of-deepseek",
      },
      { where: "a preset at another address", options: { preset: "deepseek", baseURL: "https://llm.example/v1" } },
      { where: "a preset at OpenAI's address", options: { preset: "deepseek", baseURL: "https://api.openai.com/v1" } },
      { where: "a preset that has no key", options: { preset: "ollama", model: "m" } },
      {
        where: "a preset that has no key, at OpenAI's address",
        options: { preset: "vllm", model: "m", baseURL: "https://api.openai.com/v1" },
      },
    ])("is sent to $where only if it belongs there: $key", async ({ options, base = "", key }) => {
      for (const [name, value] of Object.entries({ ...everything, OPENAI_BASE_URL: base })) vi.stubEnv(name, value);
      const { fetch, requests } = recordedFetch();
      await collect(openai({ api: "chat", ...options, fetch }).stream(request));
      const said = requests.join();
      expect(said.match(/[\w-]*(key|organization|project|webhook|header)-of-\w+|given-key/g) ?? []).toEqual(
        key ? [key] : [],
      );
    });

    it.each<OpenAIOptions>([
      { baseURL: "http://llm.example/v1", apiKey: "given-key" },
      { baseURL: "http://192.168.1.5:11434/v1", apiKey: ["given-key", "another-key"] },
      { baseURL: "http://api.openai.com/v1" },
      { baseURL: "http://llm.example/v1", headers: { "x-team": "secret" } },
      { baseURL: "http://llm.example/v1?key=secret" },
      { baseURL: "http://localhost.example/v1", apiKey: "given-key" },
      { baseURL: "http://127.0.0.1.nip.io/v1", apiKey: "given-key" },
      { baseURL: "http://0.0.0.0:8000/v1", apiKey: "given-key" },
      { baseURL: "http://[fe80::1]:8000/v1", apiKey: "given-key" },
      { baseURL: "http://llm.example/v1", apiKey: "given-key", api: "realtime" },
      { preset: "ollama", model: "m", baseURL: "http://llm.example/v1", apiKey: "given-key" },
    ])("is not sent unencrypted to another machine: %j", (options) => {
      vi.stubEnv("OPENAI_API_KEY", "key-of-openai");
      expect(() => openai(options)).toThrow(expect.objectContaining({ code: "insecure", retryable: false }));
      expect(() => openai(options)).toThrow("`allowInsecure`");
      expect(() => openai({ ...options, allowInsecure: true })).not.toThrow();
    });

    it.each([
      "http://localhost:1/v1",
      "http://LOCALHOST:1/v1",
      "http://me.localhost/v1",
      "http://127.0.0.1:1/v1",
      "http://127.1/v1",
      "http://0x7f000001/v1",
      "http://127.8.9.10/v1",
      "http://[::1]:1/v1",
      "http://[::ffff:127.0.0.1]/v1",
      "https://llm.example/v1",
    ])("may be sent to %s", (baseURL) => {
      expect(() => openai({ baseURL, apiKey: "given-key" })).not.toThrow();
    });

    it("is named as not sent in the error of a server that requires one", async () => {
      vi.stubEnv("OPENAI_API_KEY", "key-of-openai");
      const { baseURL } = await wireServer((response) => response.writeHead(401).end("No key."));
      const failure = collect(openai({ baseURL }).stream(request));
      await expect(failure).rejects.toThrow("The key in OPENAI_API_KEY belongs to another server and was not sent");
    });
  });

  it("shows none of its keys, also when the server quotes another one", async () => {
    const { baseURL } = await wireServer((response) =>
      response.writeHead(401).end("Not key-number-a, not key-number-b."),
    );
    const failure = collect(openai({ baseURL, apiKey: ["key-number-a", "key-number-b"] }).stream(request));
    await expect(failure).rejects.toThrow("Not [redacted], not [redacted].");
  });

  describe("its wire", () => {
    it.each<{ name: string; options: OpenAIOptions; path: string }>([
      { name: "Responses on OpenAI's host", options: {}, path: "/v1/responses" },
      { name: "Chat Completions there when asked", options: { api: "chat" }, path: "/v1/chat/completions" },
      {
        name: "Chat Completions elsewhere",
        options: { baseURL: "https://llm.example/v1" },
        path: "/v1/chat/completions",
      },
      {
        name: "Responses elsewhere when asked",
        options: { baseURL: "https://llm.example/v1", api: "responses" },
        path: "/v1/responses",
      },
      {
        name: "Chat Completions on a host that only looks like OpenAI's",
        options: { baseURL: "https://notapi.openai.com/v1" },
        path: "/v1/chat/completions",
      },
      { name: "Chat Completions with a preset", options: { preset: "deepseek" }, path: "/v1/chat/completions" },
    ])("is $name", async ({ options, path }) => {
      const asked: string[] = [];
      const fetch = async (input: unknown) => {
        asked.push(new URL(String(input)).pathname);
        return new Response("{}", { status: 404 });
      };
      const failure = collect(openai({ apiKey: "k", fetch, ...options }).stream(request));
      await expect(failure).rejects.toMatchObject({ code: "not_found" });
      expect(asked).toEqual([path]);
    });

    it("keeps the conversation when it is Realtime", () => {
      const model = openai({ apiKey: "k", api: "realtime" });
      expect(model).toMatchObject({
        name: "openai",
        model: "gpt-realtime",
        capabilities: { session: true, tools: false },
      });
      expect(model.connect).toBeTypeOf("function");
      expect(openai({ apiKey: "k" })).not.toHaveProperty("connect");
    });
  });

  const hi = { role: "user" as const, content: "Hi!" };

  describe("a preset", () => {
    it.each<{ preset: PresetName; url: string; model: string; sent: object }>([
      { preset: "ollama", url: "http://localhost:11434/v1", model: "m-1", sent: { max_tokens: 9 } },
      { preset: "llama.cpp", url: "http://localhost:8080/v1", model: "default", sent: { max_tokens: 9 } },
      { preset: "vllm", url: "http://localhost:8000/v1", model: "m-1", sent: { max_tokens: 9 } },
      { preset: "sglang", url: "http://localhost:30000/v1", model: "m-1", sent: { max_tokens: 9 } },
      { preset: "lmstudio", url: "http://localhost:1234/v1", model: "m-1", sent: { max_tokens: 9 } },
      { preset: "openrouter", url: "https://openrouter.ai/api/v1", model: "openrouter/auto", sent: { max_tokens: 9 } },
      {
        preset: "deepseek",
        url: "https://api.deepseek.com/v1",
        model: "deepseek-chat",
        sent: { messages: [hi, { role: "assistant", content: "Hi.", reasoning_content: "" }, hi] },
      },
    ])("knows $preset", async ({ preset, url, model, sent }) => {
      vi.stubEnv("OPENAI_API_KEY", "key-of-openai");
      vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
      vi.stubEnv("OPENROUTER_API_KEY", "key-of-openrouter");
      vi.stubEnv("DEEPSEEK_API_KEY", "key-of-deepseek");
      const seen: { url: string; headers: Headers; body: object }[] = [];
      const fetch = async (input: unknown, init?: RequestInit) => {
        seen.push({ url: String(input), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
        return new Response(hello, { headers: { "content-type": "text/event-stream" } });
      };
      const provider = openai({ preset, fetch, ...(model === "m-1" && { model }) });
      expect(provider).toMatchObject({ name: preset, model });
      const messages = [hi, { role: "assistant" as const, content: "Hi." }, hi];
      expect(await collect(provider.stream({ system: "", messages, maxOutputTokens: 9 }))).toEqual(helloEvents);
      expect(seen[0]?.url).toBe(`${url}/chat/completions`);
      expect(seen[0]?.body).toMatchObject({ model, ...sent });
      const key = { openrouter: "Bearer key-of-openrouter", deepseek: "Bearer key-of-deepseek" }[String(preset)];
      expect(seen[0]?.headers.get("authorization")).toBe(key ?? null);
    });

    it.each(["ollama", "vllm", "lmstudio"] as const)("requires a model if it has no default: %s", (preset) => {
      expect(() => openai({ preset })).toThrow(expect.objectContaining({ code: "bad_request" }));
      expect(() => openai({ preset })).toThrow("Pass `model`");
    });

    it.each([
      { preset: "openrouter", variable: "OPENROUTER_API_KEY" },
      { preset: "deepseek", variable: "DEEPSEEK_API_KEY" },
    ] as const)("demands the key of $preset, and takes none of OpenAI's for it", ({ preset, variable }) => {
      vi.stubEnv("OPENAI_API_KEY", "key-of-openai");
      expect(() => openai({ preset })).toThrow(expect.objectContaining({ code: "missing_key" }));
      expect(() => openai({ preset })).toThrow(variable);
    });

    it("that does not exist is refused with a list of those that do", () => {
      const preset = "toString" as PresetName;
      expect(() => openai({ preset })).toThrow(expect.objectContaining({ code: "bad_request" }));
      expect(() => openai({ preset })).toThrow("ollama, llama.cpp, vllm, sglang, lmstudio, openrouter, deepseek");
    });

    it("may have another address", async () => {
      const { baseURL, requests } = await chatServer();
      await collect(openai({ preset: "ollama", model: "m-1", baseURL }).stream(request));
      expect(requests).toHaveLength(1);
    });
  });

  it("sends headers, organization and model", async () => {
    const { baseURL, requests } = await chatServer();
    const model = openai({ baseURL, headers: { "x-team": "core" }, organization: "org-1", model: "m-1" });
    expect(model).toMatchObject({ name: "openai-compatible", model: "m-1" });
    await collect(model.stream(request));
    expect(requests[0]).toMatchObject({
      headers: { "x-team": "core", "openai-organization": "org-1" },
      url: "/v1/chat/completions",
    });
  });

  it("takes nothing from the environment but keys and the server", async () => {
    const { baseURL, requests } = await chatServer();
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-Canary: of-the-variable\nAuthorization: of-the-variable");
    vi.stubEnv("OPENAI_ORG_ID", "of-the-variable");
    vi.stubEnv("OPENAI_PROJECT_ID", "of-the-variable");
    vi.stubEnv("OPENAI_ADMIN_KEY", "of-the-variable");
    await collect(openai({ baseURL }).stream(request));
    await collect(openai({ baseURL, apiKey: "key-of-the-options", headers: { "x-canary": "2" } }).stream(request));
    expect(JSON.stringify(requests.map(({ headers }) => headers))).not.toContain("of-the-variable");
    expect(requests[0]?.headers).not.toHaveProperty("x-canary");
    expect(requests[1]?.headers).toMatchObject({ authorization: "Bearer key-of-the-options", "x-canary": "2" });
  });

  it.each(["localhost", "http://me:pw@127.0.0.1/v1", "http://me:%zz@127.0.0.1/v1"])(
    "refuses the base %s before any request, also from the environment",
    (baseURL) => {
      const refusal = expect.objectContaining({ name: "ProviderError", code: "bad_request" });
      expect(() => openai({ baseURL })).toThrow(refusal);
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      expect(() => openai()).toThrow(refusal);
    },
  );

  it("refuses an invalid timeout and an unknown wire", () => {
    expect(() => openai({ apiKey: "k", timeouts: { idle: 0 } })).toThrow(RangeError);
    expect(() => openai({ apiKey: "k", api: "completions" as "chat" })).toThrow("There is no `api` completions");
  });
});

/** Answers every request, but those with this `authorization` with 429. */
async function chatServer(limited?: string): Promise<{ baseURL: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const { baseURL } = await wireServer((response, incoming) => {
    requests.push(incoming);
    if (limited === undefined || incoming.headers.authorization !== limited) return eventStream(response).end(hello);
    response.writeHead(429).end(JSON.stringify({ error: { message: `Slow down, ${limited}.` } }));
  });
  return { baseURL, requests };
}

function authorizations(requests: readonly IncomingMessage[]): (string | undefined)[] {
  return requests.map(({ headers }) => headers.authorization);
}

/** A `fetch` that limits one key, and keeps what would have been sent. */
function recordedFetch(limited?: string) {
  const requests: string[] = [];
  const authorizations: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { url, headers } = new Request(input, init);
    requests.push(JSON.stringify([url, [...headers]]));
    authorizations.push(headers.get("authorization"));
    if (headers.get("authorization") === limited) return new Response("Too many.", { status: 429 });
    return new Response(hello, { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, requests, authorizations };
}
