import { createAnthropic } from "@ai-sdk/anthropic";
import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { ProviderError } from "@cogency/provider";
import { RetryError } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { type AiSdkOptions, aiSdk, type LanguageModel } from "../src/index.ts";
import { v4 } from "./support/models.ts";
import { say } from "./support/say.ts";

const url = "https://a.example/v1";
const call = (rest: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({ message: "Because.", url, requestBodyValues: { secret: "inner" }, ...rest });

function throwing(error: unknown): LanguageModel {
  return new MockLanguageModelV4({ doStream: () => Promise.reject(error) });
}

describe("an error of the AI SDK before an answer", () => {
  it.each<[string, Error, object]>([
    ["a refusal", call({ statusCode: 400 }), { code: "bad_request", status: 400, retryable: false }],
    ["a wrong key", call({ statusCode: 401 }), { code: "authentication", status: 401 }],
    [
      "a limit, with the time to wait",
      call({ statusCode: 429, responseHeaders: { "Retry-After": "7", "set-cookie": "k" } }),
      { code: "rate_limit", retryAfter: 7, retryable: true },
    ],
    [
      "a quota that is used up",
      call({ statusCode: 429, data: { error: { code: "insufficient_quota", message: "No more." } } }),
      { code: "rate_limit", retryable: false, message: expect.stringContaining("No more.") },
    ],
    [
      "a body that the model does not know",
      call({ statusCode: 400, message: "Bad Request", responseBody: '{"error":{"message":"Too long."}}' }),
      { code: "bad_request", message: expect.stringContaining("Too long.") },
    ],
    ["a body that is no JSON", call({ statusCode: 502, responseBody: "<html>" }), { code: "server", status: 502 }],
    [
      "headers that are none",
      call({ statusCode: 503, responseHeaders: { "": "x", "retry-after": "\n" } }),
      { code: "overloaded" },
    ],
    [
      "a connection that failed",
      call({ message: "Cannot connect", cause: new Error("connect ECONNREFUSED"), isRetryable: true }),
      { code: "connection", retryable: true },
    ],
    [
      "a limit of a `fetch`",
      call({ statusCode: 200, cause: new ProviderError("answer_too_large", "Too large.") }),
      { code: "answer_too_large", message: "Too large." },
    ],
    ["a body that the model cannot read", call({ statusCode: 200 }), { code: "bad_response", status: undefined }],
    ["no body", new EmptyResponseBodyError(), { code: "bad_response" }],
    [
      "a value of another type",
      new TypeValidationError({ value: { inner: "words" }, cause: new Error("x") }),
      { code: "bad_response" },
    ],
    ["no JSON", new JSONParseError({ text: "inner words", cause: new Error("x") }), { code: "bad_request" }],
    ["no key", new LoadAPIKeyError({ message: "The key is missing." }), { code: "missing_key" }],
    ["no such model", new NoSuchModelError({ modelId: "m", modelType: "languageModel" }), { code: "not_found" }],
    [
      "a prompt that is none",
      new InvalidPromptError({ prompt: "inner words", message: "Empty." }),
      { code: "bad_request" },
    ],
    [
      "what the model cannot do",
      new UnsupportedFunctionalityError({ functionality: "audio" }),
      { code: "unsupported" },
    ],
    [
      "tries that all failed",
      new RetryError({ message: "Failed", reason: "maxRetriesExceeded", errors: [call({ statusCode: 529 })] }),
      { code: "overloaded", status: 529 },
    ],
  ])("%s", async (_, error, expected) => {
    const { events, error: thrown } = await say(aiSdk({ model: throwing(error) }));
    expect(events).toEqual([]);
    expect(thrown).toMatchObject({ name: "ProviderError", ...expected });
    expect((thrown as Error).cause).toBeUndefined();
    expect((thrown as Error).message).not.toMatch(/inner|a\.example/);
  });

  it("holds no secret that the provider was given", async () => {
    const error = call({ statusCode: 400, message: "The key sk-canary-4f1d7c02 will not do." });
    const { error: thrown } = await say(aiSdk({ model: throwing(error), secrets: ["sk-canary-4f1d7c02"] }));
    expect((thrown as Error).message).toContain("The key [redacted] will not do.");
  });
});

describe("an error of the AI SDK in an answer", () => {
  const text = { type: "text-delta", id: "1", delta: "Hello." };
  it.each<[string, unknown, string]>([
    ["no JSON", new JSONParseError({ text: "inner words", cause: new Error("x") }), "cut_stream"],
    [
      "a value of another type",
      new TypeValidationError({ value: "inner words", cause: new Error("x") }),
      "bad_response",
    ],
    ["a report with a status", { message: "Busy.", statusCode: 529, isRetryable: true, data: {} }, "overloaded"],
    ["a report of a limit", { message: "Slow.", type: "rate_limit_error" }, "rate_limit"],
  ])("%s", async (_, error, code) => {
    const { error: thrown } = await say(aiSdk({ model: v4([text, { type: "error", error }]) }));
    expect(thrown).toMatchObject({ name: "ProviderError", code, partial: "Hello." });
    expect((thrown as Error).message).not.toContain("inner");
  });
});

describe("options", () => {
  it.each<[string, unknown, RegExp]>([
    ["no model", {}, /`model` is missing|`model`/],
    ["the name of a model", { model: "anthropic/claude" }, /`model`/],
    [
      "a model of another specification",
      { model: { doStream() {}, specificationVersion: "v1" } },
      /specification "v1"/,
    ],
    ["an option that is none", { model: v4([]), baseURL: "x" }, /baseURL/],
    ["a limit that is none", { model: v4([]), limits: { answerBytes: 5 } }, /answerBytes/],
  ])("are refused: %s", (_, options, words) => {
    expect(() => aiSdk(options as AiSdkOptions)).toThrow(words);
    expect(() => aiSdk(options as AiSdkOptions)).toThrow(TypeError);
  });

  it.each([{ timeouts: { idle: 0 } }, { limits: { calls: -1 } }])("are refused: %j", (options) => {
    expect(() => aiSdk({ model: v4([]), ...options })).toThrow(RangeError);
  });

  it("give the provider its name and what it can", () => {
    const options = { name: "mine", contextWindow: 9_000, attachments: ["image"] } as const;
    const { name, capabilities } = aiSdk({ model: v4([]), ...options });
    expect({ name, capabilities }).toMatchObject({
      name: "mine",
      capabilities: { contextWindow: 9_000, attachments: ["image"], thinking: true },
    });
  });

  it("need no key before the model is asked", async () => {
    const provider = aiSdk({ model: createAnthropic({ baseURL: "http://127.0.0.1:1" })("claude-sonnet-4-5") });
    expect((await say(provider)).error).toMatchObject({ code: "missing_key" });
  });
});
