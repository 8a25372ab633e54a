import type { ServerResponse } from "node:http";
import type { ModelRequest } from "@cogency/provider";
import { eventStream, wireServer } from "@tooling/loopback";
import { collect, textOf } from "@tooling/wires/collect";
import { chunk, frame, wire } from "@tooling/wires/gemini";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { google } from "./google.ts";
import type { GoogleOptions } from "./options.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Good morning." }] };
const saying = (text: string) => frame(chunk([{ text }], "STOP"));
const canary = "AIza-canary-0123456789";

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/^(GEMINI|GOOGLE)_/.test(name)) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the request of google", () => {
  const answer = (response: ServerResponse) => void eventStream(response).end(saying("ok"));

  it("goes to the model below the base URL, with key and headers, and asks for an event stream", async () => {
    const { baseURL, requests } = await wireServer(answer);
    const model = google({
      baseURL: `${baseURL}/proxy/?tenant=7`,
      apiKey: ` ${canary}\n`,
      headers: { "x-trace": "abc" },
    });
    await collect(model.stream(request));
    expect(requests[0]?.path).toBe("/proxy/v1beta/models/gemini-3.8-flash:streamGenerateContent?tenant=7&alt=sse");
    expect(requests[0]?.headers).toMatchObject({ "x-goog-api-key": canary, "x-trace": "abc" });
  });

  it.each([
    ["gemini-2.5-pro", "models/gemini-2.5-pro"],
    ["models/gemini-2.5-pro", "models/gemini-2.5-pro"],
    ["tunedModels/mine", "tunedModels/mine"],
    ["../keys?x=1#y", "models/..%2Fkeys%3Fx%3D1%23y"],
    ["half \ud83d a pair", "models/half%20%EF%BF%BD%20a%20pair"],
  ])("names the model %j in the address as %s", async (model, resource) => {
    const { baseURL, requests } = await wireServer(answer);
    await collect(google({ baseURL }).stream({ ...request, model }));
    expect(requests[0]?.path).toBe(`/v1beta/${resource}:streamGenerateContent?alt=sse`);
  });

  it("never holds the key in the address or in the body", async () => {
    const { baseURL, requests } = await wireServer(answer);
    await collect(google({ baseURL, apiKey: canary }).stream(request));
    expect(`${requests[0]?.path} ${requests[0]?.text}`).not.toContain(canary);
  });

  it("has no key if none is configured", async () => {
    const { baseURL, requests } = await wireServer(answer);
    await collect(google({ baseURL }).stream(request));
    expect(requests[0]?.headers).not.toHaveProperty("x-goog-api-key");
  });

  it.each([
    ["GEMINI_API_KEY", { GEMINI_API_KEY: canary, GOOGLE_API_KEY: "another-key" }],
    ["a numbered GEMINI_API_KEY", { GEMINI_API_KEY_1: canary }],
    ["GOOGLE_API_KEY", { GOOGLE_API_KEY: canary }],
  ])("takes server and key from the environment: %s", async (_, environment) => {
    const { baseURL, requests } = await wireServer(answer);
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", baseURL);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    await collect(google().stream(request));
    expect(requests[0]?.headers["x-goog-api-key"]).toBe(canary);
  });

  it.each<{ where: string; options: GoogleOptions; base?: string; sent?: string[] }>([
    { where: "Google's own host", options: {}, sent: ["key-of-gemini"] },
    {
      where: "the host of GOOGLE_GEMINI_BASE_URL",
      base: "https://proxy.example",
      options: {},
      sent: ["key-of-gemini"],
    },
    {
      where: "the host of GOOGLE_GEMINI_BASE_URL, given as an option",
      base: "https://proxy.example",
      options: { baseURL: "https://proxy.example/gemini" },
      sent: ["key-of-gemini"],
    },
    {
      where: "a host with its own key",
      options: { baseURL: "https://llm.example", apiKey: "given-key" },
      sent: ["given-key"],
    },
    { where: "another host", options: { baseURL: "https://llm.example" } },
    { where: "this machine", options: { baseURL: "http://localhost:8080" } },
    {
      where: "a host other than that of GOOGLE_GEMINI_BASE_URL",
      base: "https://proxy.example",
      options: { baseURL: "https://llm.example" },
    },
    {
      where: "a host whose name begins like Google's",
      options: { baseURL: "https://generativelanguage.googleapis.com.evil.example" },
    },
    { where: "another service of Google", options: { baseURL: "https://maps.googleapis.com" } },
  ])("sends to $where only the key that belongs there: $sent", async ({ options, base = "", sent = [] }) => {
    const environment = {
      GEMINI_API_KEY: "key-of-gemini",
      GEMINI_API_KEY_1: "second-key-of-gemini",
      GOOGLE_API_KEY: "key-of-google",
      GOOGLE_GEMINI_BASE_URL: base,
      OPENAI_API_KEY: "key-of-openai",
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { url, headers } = new Request(input, init);
      requests.push(JSON.stringify([url, [...headers]]));
      return new Response(saying("ok"), { headers: { "content-type": "text/event-stream" } });
    };
    await collect(google({ ...options, fetch }).stream(request));
    const said = requests.join().match(/[\w-]*-of-\w+|given-key/g) ?? [];
    expect(said).toEqual(sent);
  });

  it.each<GoogleOptions>([
    { baseURL: "http://llm.example", apiKey: "given-key" },
    { baseURL: "http://192.168.1.5:8080", headers: { "x-team": "secret" } },
    { baseURL: "http://llm.example?key=secret" },
  ])("sends no secret unencrypted to another machine: %j", (options) => {
    expect(() => google(options)).toThrow(expect.objectContaining({ code: "insecure", retryable: false }));
    expect(() => google({ ...options, allowInsecure: true })).not.toThrow();
  });

  it("reports that the key of the environment was not sent to a server that requires one", async () => {
    vi.stubEnv("GOOGLE_API_KEY", "key-of-google");
    const { baseURL } = await wireServer((response) => response.writeHead(401).end("No key."));
    const failure = collect(google({ baseURL }).stream(request));
    await expect(failure).rejects.toThrow("The key in GOOGLE_API_KEY belongs to another server and was not sent");
  });

  it("names the environment variable that is not an address", () => {
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", "localhost");
    const problem = { code: "bad_request", message: expect.stringContaining("`GOOGLE_GEMINI_BASE_URL`") };
    expect(() => google()).toThrow(expect.objectContaining(problem));
  });

  it("uses the next key when one is refused with 429", async () => {
    const { baseURL, requests } = await wireServer((response, { headers }) => {
      if (headers["x-goog-api-key"] === "first-key") response.writeHead(429).end(wire.refusal?.(429, "Too many."));
      else answer(response);
    });
    const said = await collect(google({ baseURL, apiKey: ["first-key", "second-key"] }).stream(request));
    expect(said[0]).toMatchObject({ type: "retry", code: "rate_limit" });
    expect(textOf(said)).toBe("ok");
    expect(requests.map(({ headers }) => headers["x-goog-api-key"])).toEqual(["first-key", "second-key"]);
  });

  it("is made without a key only to servers other than Google's", () => {
    expect(() => google()).toThrow(expect.objectContaining({ code: "missing_key" }));
    expect(() => google({ apiKey: [" "] })).toThrow(expect.objectContaining({ code: "missing_key" }));
    expect(() => google({ baseURL: "http://localhost:1" })).not.toThrow();
  });

  it("does not repeat a key that no header may hold", async () => {
    const failure = collect(google({ baseURL: "http://localhost:1", apiKey: "AIza-€-0123456789" }).stream(request));
    await expect(failure).rejects.toMatchObject({
      code: "bad_request",
      message: expect.not.stringContaining("0123456789"),
    });
  });
});
