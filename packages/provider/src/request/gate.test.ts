import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { ProviderError, type ProviderErrorCode } from "../errors.ts";
import type { ModelEvent, ModelRequest, Provider } from "../provider.ts";
import { createGate } from "./gate.ts";

const hello: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const finish: ModelEvent = { type: "finish", reason: "stop" };
const usage: ModelEvent = { type: "usage", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 } };
const list = { type: "array", items: { type: "object", properties: { a: { type: "string" } } } };

/** A gate before a model that answers so, and the requests that pass it. */
function gated(answer: (request: ModelRequest) => readonly ModelEvent[]) {
  const seen: ModelRequest[] = [];
  const inner: Provider["stream"] = async function* (request) {
    seen.push(request);
    yield* answer(request);
  };
  const stream = createGate()(inner);
  return { seen, ask: (request: Partial<ModelRequest> = {}) => collect(stream({ ...hello, ...request })) };
}

describe("createGate", () => {
  it("passes a request and its answer as they are", async () => {
    const { seen, ask } = gated(() => [{ type: "text", text: '{"answer":null}' }, finish]);
    expect(await ask()).toEqual([{ type: "text", text: '{"answer":null}' }, finish]);
    expect(seen[0]?.messages).toBe(hello.messages);
  });

  it("passes no half character", async () => {
    const { seen, ask } = gated(() => [finish]);
    const data = [{ arguments: "\udc4d" }];
    const native = { provider: "p", model: "m", data };
    await ask({
      system: "\ud83d",
      messages: [{ role: "assistant", content: "a\ud83d", native }],
      options: { a: "\ud83d" },
    });
    expect(seen).toEqual([
      {
        system: "\ufffd",
        messages: [{ role: "assistant", content: "a\ufffd", native: { ...native, data: [{ arguments: "\ufffd" }] } }],
        options: { a: "\ufffd" },
      },
    ]);
  });

  it("passes names of tools that servers accept, and gives calls the request's own names", async () => {
    const { seen, ask } = gated(({ tools = [] }) => [
      ...tools.map(
        ({ name }, index): ModelEvent => ({ type: "tool_call_delta", index, id: `c${index}`, name, arguments: "" }),
      ),
      ...tools.map(({ name }, index): ModelEvent => ({ type: "tool_call", id: `c${index}`, name, arguments: "{}" })),
      finish,
    ]);
    const names = ["a.b", "a_b", "9", "ä".repeat(70), "read"];
    const tools = names.map((name) => ({ name, description: "", parameters: {} }));
    const call = { id: "c", name: "functions.read", args: {} };
    const events = await ask({
      tools,
      toolChoice: { name: "a.b" },
      messages: [
        { role: "assistant", content: "", calls: [call] },
        { role: "tool", results: [{ id: "c", name: call.name, content: "", failed: false }] },
      ],
    });
    expect(seen[0]?.tools?.map(({ name }) => name)).toEqual(["a_b_2", "a_b", "_9", "_".repeat(64), "read"]);
    expect(seen[0]).toMatchObject({
      toolChoice: { name: "a_b_2" },
      messages: [{ calls: [{ name: "functions_read" }] }, { results: [{ name: "functions_read" }] }],
    });
    expect(events.flatMap((event) => (event.type === "tool_call" ? event.name : []))).toEqual(names);
    expect(events.flatMap((event) => (event.type === "tool_call_delta" ? event.name : []))).toEqual(names);
  });

  it("makes an answer to the server's schema one to the schema of the request, before usage and calls", async () => {
    const pieces = ['{"ans', 'wer":[{"a":nu', "ll}", "]}"];
    const { ask } = gated(() => [...pieces.map((text): ModelEvent => ({ type: "text", text })), usage, finish]);
    expect(await ask({ format: list })).toEqual([
      { type: "text", text: "[{" },
      { type: "text", text: "}" },
      { type: "text", text: "]" },
      usage,
      finish,
    ]);
    const cut = gated(() => [{ type: "text", text: '{"answer"' }, usage, finish]);
    expect(await cut.ask({ format: list })).toEqual([{ type: "text", text: '{"answer"' }, usage, finish]);
  });

  describe("where the server refuses the format", () => {
    const refuse = (message: string, status: number | undefined = 400, code: ProviderErrorCode = "bad_request") =>
      gated(({ format }) => {
        if (format) throw new ProviderError(code, message, { status });
        return [finish];
      });

    it.each([
      ["Invalid schema for response_format 'answer': In context=(), 'allOf' is not permitted.", 400],
      ["'response_format' of type 'json_schema' is not supported with this model.", 400],
      ["output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false", 400],
      ["Schema is too complex for compilation.", 400],
      ["The specified schema produces a constraint that has too many states for serving.", 400],
      ["Request contains an invalid argument.", 400],
      ["This response_format type is unavailable now", 422],
      ["JSON schema conversion failed:\nUnrecognized schema: {}", 400],
      ["Failed to initialize samplers: failed to parse grammar", 400],
      ["Cannot use custom grammar constraints with tools.", 500],
      ["invalid JSON schema in format", 500],
      ["The provided JSON schema contains features not supported by xgrammar.", 400],
    ])("asks once more without it, and leaves it out from then on: %s", async (message, status) => {
      const { seen, ask } = refuse(`example.com refused the request (HTTP ${status}): ${message}`, status);
      expect(await ask({ format: list })).toEqual([finish]);
      expect(await ask({ format: list })).toEqual([finish]);
      expect(seen.map(({ format }) => format)).toEqual([list, undefined, undefined]);
      await ask({ format: { type: "string" } });
      await ask({ format: list, model: "other" });
      expect(seen.slice(3).map(({ format }) => format !== undefined)).toEqual([true, false, true, false]);
    });

    it("asks once more where an event of the answer reports it", async () => {
      const { seen, ask } = refuse("example.com broke its answer off: failed to parse grammar", undefined, "server");
      expect(await ask({ format: list })).toEqual([finish]);
      expect(seen).toHaveLength(2);
    });

    it.each([
      ["the refusal names something else", "messages: at least one message is required", 400],
      ["the schema of a tool is refused", "Invalid schema for function 'read': In context=(), response_format", 400],
      ["the key is refused", "response_format needs another key", 401],
      ["there are too many requests", "response_format: rate limit", 429],
    ])("throws at once if %s", async (_, message, status) => {
      const { seen, ask } = refuse(message, status);
      await expect(ask({ format: list })).rejects.toThrow(message);
      expect(seen).toHaveLength(1);
    });

    it("remembers nothing if the request is refused without it too", async () => {
      const { seen, ask } = gated(() => {
        throw new ProviderError("bad_request", "response_format", { status: 400 });
      });
      await expect(ask({ format: list })).rejects.toThrow("response_format");
      await expect(ask({ format: list })).rejects.toThrow("response_format");
      expect(seen.map(({ format }) => format !== undefined)).toEqual([true, false, true, false]);
    });

    it("throws if the answer had begun", async () => {
      const stream = createGate()(async function* () {
        yield { type: "text", text: "[" } as const;
        throw new ProviderError("bad_request", "response_format", { status: 400 });
      });
      await expect(collect(stream({ ...hello, format: list }))).rejects.toThrow("response_format");
    });
  });
});
