import type { TurnLanguage } from "@cogency/protocol/grammar";
import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { ProviderError, type ProviderErrorCode } from "../errors.ts";
import type { ModelEvent, ModelRequest, Provider } from "../provider.ts";
import { createGrammar } from "./grammar-fields.ts";

const hello: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const language: TurnLanguage = { tools: [{ name: "read", description: "", parameters: {} }] };
const text: ModelEvent = { type: "text", text: "Hello." };
const finish: ModelEvent = { type: "finish", reason: "stop" };
const ignored = expect.objectContaining({ type: "ignored", setting: "grammar" });

const refusal = (code: ProviderErrorCode = "bad_request", message = "failed to parse grammar", status = 400) =>
  new ProviderError(code, message, { status });

/** A server that answers so, or throws, and the requests that come to it. */
function bound(answer: (request: ModelRequest) => Iterable<ModelEvent>, fields = () => ({ grammar: "root ::= x" })) {
  const seen: ModelRequest[] = [];
  const inner: Provider["stream"] = async function* (request) {
    seen.push(request);
    yield* answer(request);
  };
  const stream = createGrammar(fields)(inner);
  const send = (request: ModelRequest) => collect(stream(request));
  const ask = (request: Partial<ModelRequest> = {}) => send({ ...hello, grammar: language, ...request });
  return { seen, send, ask, optionsSeen: () => seen.map(({ options }) => options) };
}

/** Answers only what is not bound. */
function* refusesBound({ options }: ModelRequest): Generator<ModelEvent> {
  if (options?.grammar !== undefined) throw refusal();
  yield* [text, finish];
}

describe("createGrammar", () => {
  it("makes the language of a request into fields of the wire, and passes no language on", async () => {
    const { seen, ask } = bound(() => [text, finish]);
    expect(await ask({ options: { seed: 1 } })).toEqual([text, finish]);
    expect(seen).toEqual([{ ...hello, options: { seed: 1, grammar: "root ::= x" } }]);
  });

  it("leaves what the caller has set in the options", async () => {
    const { ask, optionsSeen } = bound(() => [finish]);
    await ask({ options: { grammar: "of the caller" } });
    expect(optionsSeen()).toEqual([{ grammar: "of the caller" }]);
  });

  it.each<[string, Partial<ModelRequest>]>([
    ["a request without a language", {}],
    ["a request with a format", { grammar: language, format: { type: "object" } }],
    [
      "a request with tools of the wire",
      { grammar: language, tools: [{ name: "a", description: "", parameters: {} }] },
    ],
  ])("binds no answer to %s", async (_, request) => {
    const { seen, send } = bound(() => [finish]);
    expect(await send({ ...hello, ...request })).toEqual([finish]);
    expect(seen[0]).not.toHaveProperty("options");
    expect(seen[0]).not.toHaveProperty("grammar");
  });

  it("says once that a wire without fields leaves the answer free", async () => {
    const { seen, ask } = bound(
      () => [text, text, finish],
      () => undefined as never,
    );
    expect(await ask()).toEqual([ignored, text, text, finish]);
    expect(seen).toEqual([hello]);
  });

  it("asks without the language if the server refuses it, says so, and remembers that for the model and the tools", async () => {
    const { ask, optionsSeen } = bound(refusesBound);
    const field = { grammar: "root ::= x" };
    expect(await ask()).toEqual([ignored, text, finish]);
    expect(await ask()).toEqual([ignored, text, finish]);
    expect(optionsSeen()).toEqual([field, undefined, undefined]);
    await ask({ model: "another" });
    await ask({ grammar: { tools: [] } });
    expect(optionsSeen().slice(3)).toEqual([field, undefined, field, undefined]);
  });

  it("does not remember a refusal if the request without the language fails, too", async () => {
    let requests = 0;
    const { ask, optionsSeen } = bound(function* (request) {
      requests++;
      if (requests === 2) throw refusal("server", "overloaded", 503);
      yield* refusesBound(request);
    });
    await expect(ask()).rejects.toThrow("overloaded");
    expect(await ask()).toEqual([ignored, text, finish]);
    expect(optionsSeen().map((options) => options !== undefined)).toEqual([true, false, true, false]);
  });

  it("does not remember a refusal if the request without the language was aborted", async () => {
    const { ask, optionsSeen } = bound(({ options }) => {
      if (options) throw refusal();
      return [{ type: "finish", reason: "aborted" }];
    });
    await ask();
    await ask();
    expect(optionsSeen().map((options) => options !== undefined)).toEqual([true, false, true, false]);
  });

  it.each<[string, ProviderError]>([
    ["a refusal of the key", refusal("authentication", "wrong key", 401)],
    ["a refusal of something else", refusal("bad_request", "the prompt is too long", 400)],
    ["a failure of the server", refusal("server", "overloaded", 503)],
  ])("passes on %s", async (_, error) => {
    const { seen, ask } = bound(() => {
      throw error;
    });
    await expect(ask()).rejects.toBe(error);
    expect(seen).toHaveLength(1);
  });

  it("passes on a failure after the answer has begun, because its beginning is told", async () => {
    const error = refusal();
    const { seen, ask } = bound(function* () {
      yield text;
      throw error;
    });
    await expect(ask()).rejects.toBe(error);
    expect(seen).toHaveLength(1);
  });
});
