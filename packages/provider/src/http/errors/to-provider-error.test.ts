import { inspect } from "node:util";
import { closedPort, serve, serveTcp } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { ProviderError, type ProviderErrorCode } from "../../errors.ts";
import { redactor } from "../access/redactor.ts";
import { createFetch } from "../fetch/create-fetch.ts";
import { type FailureContext, toProviderError } from "./to-provider-error.ts";

const before: FailureContext = {
  host: "api.acme.test",
  wire: "Chat Completions",
  responded: false,
  partial: "",
  redact: redactor(["sk-canary-0123456789"]),
};
const during: FailureContext = { ...before, responded: true, partial: "Hel" };

describe("toProviderError, before the answer", () => {
  it("returns a ProviderError unchanged", () => {
    const error = new ProviderError("unsupported", "No tools here.");
    expect(toProviderError(error, before)).toBe(error);
  });

  it("finds the ProviderError among the causes of an SDK's error", () => {
    const timeout = new ProviderError("timeout", "It did not begin its answer within 1 s.");
    const thrown = new Error("Connection error.", { cause: new TypeError("fetch failed", { cause: timeout }) });
    expect(toProviderError(thrown, before)).toBe(timeout);
  });

  it("removes keys and the cause from a ProviderError that a `fetch` of the user threw", () => {
    const cause = new Error("Authorization: Bearer sk-canary-0123456789");
    const own = new ProviderError("overloaded", "Not with sk-canary-0123456789.", {
      retryAfter: 3,
      status: 503,
      cause,
    });
    const error = toProviderError(new Error("Connection error.", { cause: own }), {
      ...before,
      partial: "sk-canary-01",
    });
    expect(error).toMatchObject({ code: "overloaded", message: "Not with [redacted].", retryAfter: 3, status: 503 });
    expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain("canary");
  });

  it("reports a header that is larger than Node.js accepts", async () => {
    const { url } = await serveTcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${"h".repeat(100_000)}\r\n\r\n`);
    });
    const thrown = await createFetch()(url).catch((error: unknown) => error);
    expect(toProviderError(thrown, before)).toMatchObject({ code: "answer_too_large", retryable: false });
  });

  it("reads the refusal that an SDK keeps, with its status, words and headers", () => {
    const headers = new Headers({ "retry-after-ms": "1500" });
    const thrown = apiError({ status: 429, headers, error: { message: "Slow down.", type: "requests" } });
    expect(toProviderError(thrown, before)).toMatchObject({
      code: "rate_limit",
      status: 429,
      retryAfter: 1.5,
      retryable: true,
      message: "api.acme.test limits the rate of requests (HTTP 429): Slow down.",
    });
  });

  const bodies: [string, unknown, string][] = [
    ["what stands under `error`", { message: "No." }, "No."],
    ["the whole of it", { type: "error", error: { type: "invalid_request_error", message: "No." } }, "No."],
    ["an error that is a text", { error: "No." }, "No."],
    ["a text", "No.", "No."],
    ["nothing", undefined, "An SDK's own words."],
    ["null", null, "An SDK's own words."],
    ["a list", [], "An SDK's own words."],
  ];
  it.each(bodies)("finds the server's words in a body of which the SDK keeps %s", (_name, error, words) => {
    expect(toProviderError(apiError({ status: 400, error }), before).message).toBe(
      `api.acme.test refused the request (HTTP 400): ${words}`,
    );
  });

  it.each([{ code: "insufficient_quota" }, { type: "insufficient_quota" }, { type: "billing_error" }])(
    "takes %j for a quota that is used up, which no retry brings back",
    (details) => {
      const error = { message: "You have nothing left.", ...details };
      const { code, retryable } = toProviderError(apiError({ status: 429, error }), before);
      expect({ code, retryable }).toEqual({ code: "rate_limit", retryable: false });
    },
  );

  it("reports a server that cannot be reached, with the reason", async () => {
    const port = await closedPort();
    const thrown = await createFetch()(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
    const error = toProviderError(new Error("Connection error.", { cause: thrown }), before);
    expect(error).toMatchObject({ code: "connection", retryable: true });
    expect(error.message).toBe(`api.acme.test cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it("finds the reason among those of several addresses", () => {
    const reasons = new AggregateError([new Error("connect ECONNREFUSED ::1:9"), new Error("other")]);
    const thrown = new TypeError("fetch failed", { cause: reasons });
    expect(toProviderError(thrown, before).message).toBe("api.acme.test cannot be reached: connect ECONNREFUSED ::1:9");
  });

  it("reads an SDK's own timeout as a timeout, and an error without a cause as a bad request", () => {
    expect(toProviderError(new Error("Request timed out."), before)).toMatchObject({ code: "timeout" });
    expect(toProviderError(new TypeError("Invalid header."), before)).toMatchObject({
      code: "bad_request",
      retryable: false,
    });
  });

  it("names `apiKey` and `headers` if a key holds a character that headers cannot", async () => {
    const asked = createFetch()("http://127.0.0.1", { headers: { authorization: "Bearer sk-canary…" } });
    const thrown = await asked.catch((error: unknown) => error);
    expect(toProviderError(thrown, before).message).toMatch(/Check the characters of `apiKey` and `headers`\.$/);
    expect(toProviderError(new TypeError("Do not know how to serialize a BigInt"), before).message).toMatch(/BigInt$/);
  });

  it.each(["a text", undefined, null, 5])("converts a thrown value that is not an error: %j", (thrown) => {
    expect(toProviderError(thrown, before)).toBeInstanceOf(ProviderError);
  });

  it("survives errors that are their own cause", () => {
    const thrown = new Error("round");
    thrown.cause = thrown;
    expect(toProviderError(thrown, before).message).toContain("round");
  });
});

describe("toProviderError, within the answer", () => {
  const said: [Record<string, unknown>, ProviderErrorCode, boolean][] = [
    [{ type: "overloaded_error" }, "overloaded", true],
    [{ type: "rate_limit_error" }, "rate_limit", true],
    [{ code: "rate_limit_exceeded" }, "rate_limit", true],
    [{ code: "insufficient_quota" }, "rate_limit", false],
    [{ type: "server_error" }, "server", true],
    [{ type: "api_error" }, "server", true],
    [{ type: "invalid_request_error" }, "bad_request", false],
    [{ type: "authentication_error" }, "authentication", false],
    [{ type: "permission_error" }, "permission", false],
    [{ type: "not_found_error" }, "not_found", false],
    [{ type: "timeout_error" }, "timeout", true],
    [{ code: "vector_store_timeout" }, "timeout", true],
    [{ code: "invalid_api_key" }, "authentication", false],
    [{ code: "invalid_image_format" }, "bad_request", false],
    [{ code: "invalid_encrypted_content" }, "bad_request", false],
    [{ code: "image_too_large" }, "bad_request", false],
    [{ code: "unsupported_image_media_type" }, "bad_request", false],
    [{ code: "string_above_max_length" }, "bad_request", false],
    [{ code: "context_length_exceeded" }, "bad_request", false],
    [{ code: "data_residency_mismatch" }, "bad_request", false],
    [{ code: "bio_policy" }, "bad_request", false],
    [{ code: "misalignment_policy_violation" }, "bad_request", false],
    [{ code: 429 }, "rate_limit", true],
    [{ code: 503 }, "overloaded", true],
    [{ code: 400 }, "bad_request", false],
    [{}, "server", true],
  ];
  it.each(said)("reads the server's %j as %s, retryable: %s", (details, code, retryable) => {
    const error = toProviderError(apiError({ error: { message: "Sorry.", ...details } }), during);
    expect(error).toMatchObject({ code, retryable, partial: "Hel", status: undefined });
    expect(error.message).toBe("api.acme.test broke its answer off: Sorry.");
  });

  it("reads a broken connection as a cut stream", async () => {
    const { url } = await serve((_request, response) => {
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    const thrown = await (await createFetch()(url)).text().catch((error: unknown) => error);
    expect(toProviderError(thrown, during)).toMatchObject({ code: "cut_stream", retryable: true, partial: "Hel" });
  });

  it("reads data that is not JSON as a cut stream", () => {
    expect(toProviderError(new SyntaxError("Unexpected end"), during)).toMatchObject({
      code: "cut_stream",
      message: "api.acme.test sent an event that is not JSON: the answer was cut, or is not Chat Completions.",
    });
  });

  it("adds the partial text to a ProviderError, and keeps its other fields", () => {
    const timeout = new ProviderError("rate_limit", "Slow.", { status: 429, retryAfter: 2, retryable: false });
    expect(toProviderError(timeout, during)).toMatchObject({
      code: "rate_limit",
      message: "Slow.",
      status: 429,
      retryAfter: 2,
      retryable: false,
      partial: "Hel",
    });
    const own = new ProviderError("timeout", "Slow.", { partial: "Hello" });
    expect(toProviderError(own, during)).toBe(own);
  });
});

describe("toProviderError, always", () => {
  const quoting = "with sk-canary-0123456789 you may not";
  const thrown: [string, unknown][] = [
    ["a refusal", apiError({ status: 401, error: { message: quoting } })],
    ["an answer broken off", apiError({ error: { message: quoting } })],
    ["a broken connection", new TypeError("fetch failed", { cause: new Error(quoting) })],
    ["a wrong request", new TypeError(quoting)],
    ["a timeout", new Error(`Request timed out ${quoting}`)],
    ["a text", quoting],
  ];
  it.each(thrown)("keeps keys out of the error for %s", (_name, thing) => {
    for (const context of [before, during]) {
      const error = toProviderError(thing, context);
      expect(error.message + error.stack + JSON.stringify(error)).not.toContain("canary");
      expect(error.cause).toBeUndefined();
    }
  });
});

/** What `openai` and `@anthropic-ai/sdk` throw has these fields. */
function apiError(fields: { status?: number; headers?: Headers; error?: unknown }): Error {
  return Object.assign(new Error("An SDK's own words."), fields);
}
