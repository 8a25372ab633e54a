import type { AssistantMessage } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { eventStream, wireServer } from "@tooling/loopback";
import { collect, textOf } from "@tooling/wires/collect";
import { chunk, frame } from "@tooling/wires/gemini";
import { describe, expect, it } from "vitest";
import { google } from "../google.ts";

const canary = "AIza-canary-0123456789";
const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Good morning." }] };

async function answeredBy(status: number, body: string, headers: Record<string, string> = {}) {
  const type = status === 200 ? "text/event-stream" : "application/json";
  const { baseURL, requests } = await wireServer((response) =>
    response.writeHead(status, { "content-type": type, ...headers }).end(body),
  );
  return { requests, model: google({ baseURL, apiKey: canary }) };
}

async function failureOf(status: number, body: string, headers: Record<string, string> = {}) {
  const { model } = await answeredBy(status, body, headers);
  const events: ModelEvent[] = [];
  const error = await collect(model.stream(request), events).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { events, error };
}

const refused = (error: object) => JSON.stringify({ error });

describe("an answer over HTTP", () => {
  it("is sent back with each signature on the part that it came with", async () => {
    const call = { functionCall: { id: "fc1", name: "weather", args: { city: "Oslo" } }, thoughtSignature: "Y2FsbA==" };
    const parts = [
      { text: "Hm.", thought: true },
      { text: "I look." },
      call,
      { text: "", thoughtSignature: "bGFzdA==" },
    ];
    const frames = parts.map((part) => frame(chunk([part])));
    const { requests, model } = await answeredBy(200, [...frames, frame(chunk([], "STOP"))].join(""));
    const finish = (await collect(model.stream(request))).at(-1);
    const data = finish?.type === "finish" ? (finish.native ?? null) : null;
    const message: AssistantMessage = {
      role: "assistant",
      content: "I look.",
      calls: [{ id: "fc1", name: "weather", args: { city: "Oslo" } }],
      native: { provider: model.name, model: model.model, data },
    };
    const result = { id: "fc1", name: "weather", content: "Rain.", failed: false };
    await collect(
      model.stream({ ...request, messages: [...request.messages, message, { role: "tool", results: [result] }] }),
    );
    expect(requests[1]?.body.contents).toEqual([
      { role: "user", parts: [{ text: "Good morning." }] },
      { role: "model", parts },
      {
        role: "user",
        parts: [{ functionResponse: { id: "fc1", name: "weather", response: { output: "Rain." } } }],
      },
    ]);
  });

  it("may be one JSON array, from a server that does not know event streams", async () => {
    const body = JSON.stringify([chunk([{ text: "Good " }]), chunk([{ text: "morning." }], "STOP")]);
    const { model } = await answeredBy(200, body, { "content-type": "application/json" });
    const events = await collect(model.stream(request));
    expect(textOf(events)).toBe("Good morning.");
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", raw: "STOP" });
  });

  it("ends with content_filter if the prompt was blocked", async () => {
    const { model } = await answeredBy(200, frame({ promptFeedback: { blockReason: "SAFETY" } }));
    expect(await collect(model.stream(request))).toEqual([{ type: "finish", reason: "content_filter", raw: "SAFETY" }]);
  });

  it("is complete with its finish reason, although the connection breaks after it", async () => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).write(frame(chunk([{ text: "Hi." }], "STOP")), () => response.destroy()),
    );
    expect((await collect(google({ baseURL }).stream(request))).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("fails if the server says so, or a limit is exceeded, after a finish reason", async () => {
    const first = frame(chunk([{ text: "Hi." }], "STOP"));
    const { error } = await failureOf(200, first + frame({ error: { code: 500, message: "Too bad." } }));
    expect(error).toMatchObject({ code: "server", partial: "Hi." });
    const { baseURL } = await wireServer((response) => eventStream(response).end(first.repeat(9)));
    const small = google({ baseURL, limits: { answerCharacters: 10 } });
    await expect(collect(small.stream(request))).rejects.toMatchObject({
      code: "answer_too_large",
      partial: "Hi.Hi.Hi.",
    });
  });

  it("is cut if it ends without a finish reason", async () => {
    const { error, events } = await failureOf(200, frame(chunk([{ text: "Good" }])));
    expect(textOf(events)).toBe("Good");
    expect(error).toMatchObject({ code: "cut_stream", retryable: true, partial: "Good" });
  });

  it("is cut if it ends without a finish reason after its last piece, although one came before", async () => {
    const { error } = await failureOf(200, frame(chunk([], "STOP")) + frame(chunk([{ text: "Good" }])));
    expect(error).toMatchObject({ code: "cut_stream", partial: "Good" });
  });

  it.each([
    ["two candidates in one chunk", { candidates: [{ index: 0 }, { index: 1 }] }],
    ["a chunk of a second candidate", { candidates: [{ index: 1, content: { parts: [{ text: "Or so." }] } }] }],
  ])("with %s is refused", async (_, value) => {
    const { error } = await failureOf(200, frame(value));
    expect(error).toMatchObject({ code: "bad_response", message: expect.stringContaining("several candidates") });
  });

  it.each([{ willContinue: true }, { partialArgs: [{ jsonPath: "$.city", stringValue: "Os" }] }])(
    "whose call comes in pieces is refused: %j",
    async (fields) => {
      const { error, events } = await failureOf(200, frame(chunk([{ functionCall: { name: "weather", ...fields } }])));
      expect(error).toMatchObject({
        code: "unsupported",
        message: expect.stringContaining("streamFunctionCallArguments"),
      });
      expect(events).toEqual([]);
    },
  );

  it("keeps no more of parts without an event than the limit allows", async () => {
    const image = { inlineData: { mimeType: "image/png", data: "x".repeat(2_000) } };
    const { baseURL } = await wireServer((response) => eventStream(response).end(frame(chunk([image], "STOP"))));
    const model = google({ baseURL, limits: { answerCharacters: 1_000 } });
    await expect(collect(model.stream(request))).rejects.toMatchObject({ code: "answer_too_large" });
  });
});

describe("a refusal", () => {
  it.each([
    [400, "INVALID_ARGUMENT", "bad_request"],
    [401, "UNAUTHENTICATED", "authentication"],
    [403, "PERMISSION_DENIED", "permission"],
    [404, "NOT_FOUND", "not_found"],
    [429, "RESOURCE_EXHAUSTED", "rate_limit"],
    [500, "INTERNAL", "server"],
    [503, "UNAVAILABLE", "overloaded"],
    [504, "DEADLINE_EXCEEDED", "timeout"],
  ])("with the status %i, %s, is %s and quotes the server", async (status, word, code) => {
    const { error } = await failureOf(status, refused({ code: status, message: "Because.", status: word }));
    expect(error).toMatchObject({ code, status, message: expect.stringContaining("Because.") });
  });

  it("of a key is `authentication`, although its status is 400", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
    const message = `API key ${canary} not valid.`;
    const { error } = await failureOf(400, refused({ code: 400, message, status: "INVALID_ARGUMENT", details }));
    expect(error).toMatchObject({ code: "authentication", status: 400, retryable: false });
    expect(error?.message).toContain("API key [redacted] not valid.");
  });

  const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" };
  const quota = (quotaId: string) => ({
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    violations: [{ quotaId }],
  });

  it("says how long to wait by its RetryInfo", async () => {
    const details = [quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), retryInfo];
    const { error } = await failureOf(429, refused({ code: 429, message: "Slow down.", details }));
    expect(error).toMatchObject({ code: "rate_limit", status: 429, retryAfter: 34.4, retryable: true });
  });

  it("says how long to wait by its header before its RetryInfo", async () => {
    const { error } = await failureOf(429, refused({ message: "Slow down.", details: [retryInfo] }), {
      "retry-after": "3",
    });
    expect(error).toMatchObject({ retryAfter: 3 });
  });

  it("for a quota of the day is not retryable, whatever RetryInfo says", async () => {
    const details = [quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo];
    const { error } = await failureOf(429, refused({ code: 429, message: "That was all.", details }));
    expect(error).toMatchObject({ code: "rate_limit", status: 429, retryable: false });
  });

  it.each([
    ["an array of one error", JSON.stringify([{ error: { code: 403, message: "Because." } }])],
    ["an error that is text", refused("Because." as unknown as object)],
    ["a page", "<html>Because.</html>"],
  ])("is read from %s", async (_, body) => {
    const { error } = await failureOf(403, body);
    expect(error).toMatchObject({ code: "permission", message: expect.stringContaining("Because.") });
  });
});

describe("a failure in the middle of an answer", () => {
  it.each([
    [
      { code: 503, message: "Busy.", status: "UNAVAILABLE" },
      { code: "overloaded", retryable: true },
    ],
    [
      { message: "Busy.", status: "RESOURCE_EXHAUSTED" },
      { code: "rate_limit", retryable: true },
    ],
    [
      { message: "Busy.", status: "PERMISSION_DENIED" },
      { code: "permission", retryable: false },
    ],
    [
      { message: "Busy.", status: "INTERNAL" },
      { code: "server", retryable: true },
    ],
    [
      { code: 200, message: "Busy." },
      { code: "server", retryable: true },
    ],
    ["Busy.", { code: "server", retryable: true }],
  ])("is the code of its status: %j", async (error, expected) => {
    const body = frame(chunk([{ text: "Good" }])) + frame({ error });
    const { error: thrown } = await failureOf(200, body);
    expect(thrown).toMatchObject({ ...expected, partial: "Good", message: expect.stringContaining("Busy.") });
  });

  it("says how long to wait", async () => {
    const body = frame({ error: { code: 429, message: "Busy.", details: [{ retryDelay: "7s" }] } });
    expect((await failureOf(200, body)).error).toMatchObject({ code: "rate_limit", retryAfter: 7 });
  });
});
