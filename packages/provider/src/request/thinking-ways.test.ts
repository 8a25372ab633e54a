import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { ProviderError } from "../errors.ts";
import type { ModelEvent, ModelRequest, Provider } from "../provider.ts";
import { createThinking, type ThinkingWays } from "./thinking-ways.ts";

const hello: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const text: ModelEvent = { type: "text", text: "Hello." };
const finish: ModelEvent = { type: "finish", reason: "stop" };
const ways: ThinkingWays = ({ thinking }) => [
  { options: { think: { effort: thinking } } },
  { options: { think: { budget: 1 } }, instead: "a little" },
];

/** A server that takes requests with these options, and what it was asked with. */
function server(takes: (options: JsonObject) => boolean, code: ProviderError = refusal("thinking is not supported")) {
  const seen: (JsonObject | undefined)[] = [];
  const inner: Provider["stream"] = async function* ({ options, thinking }) {
    expect(thinking).toBeUndefined();
    seen.push(options);
    if (!takes(options ?? {})) throw code;
    yield text;
    yield finish;
  };
  const stream = createThinking(ways)(inner);
  return { seen, ask: (request: Partial<ModelRequest> = {}) => collect(stream({ ...hello, ...request })) };
}

function refusal(message: string, status = 400): ProviderError {
  return new ProviderError("bad_request", message, { status });
}

const ignored = (asked: string): ModelEvent => ({
  type: "ignored",
  setting: "thinking",
  message: `The model takes no thinking "max": ${asked}.`,
});

describe("a request that wants a level of thinking", () => {
  it("asks in the nearest way, and no request without a level is changed", async () => {
    const { seen, ask } = server(() => true);
    expect(await ask({ thinking: "max" })).toEqual([text, finish]);
    expect(await ask()).toEqual([text, finish]);
    expect(seen).toEqual([{ think: { effort: "max" } }, undefined]);
  });

  it("asks in the next way after a refusal, tells so, and remembers it for the model", async () => {
    const { seen, ask } = server(({ think }) => !JSON.stringify(think).includes("effort"));
    const lesser = [ignored('it was asked for "a little"'), text, finish];
    expect(await ask({ thinking: "max" })).toEqual(lesser);
    expect(await ask({ thinking: "max" })).toEqual(lesser);
    await ask({ thinking: "max", model: "other" });
    const [first, next] = [{ think: { effort: "max" } }, { think: { budget: 1 } }];
    expect(seen).toEqual([first, next, next, first, next]);
  });

  it("asks without a level where no way is taken, and remembers that", async () => {
    const { seen, ask } = server((options) => Object.keys(options).length === 0);
    for (const _ of [1, 2])
      expect(await ask({ thinking: "max" })).toEqual([ignored("it was asked without one"), text, finish]);
    expect(seen).toEqual([{ think: { effort: "max" } }, { think: { budget: 1 } }, undefined, undefined]);
  });

  it("leaves what the caller has set in the same fields", async () => {
    const { seen, ask } = server(() => true);
    await ask({ thinking: "max", options: { think: { effort: "mine", show: true }, seed: 1 } });
    expect(seen).toEqual([{ think: { effort: "mine", show: true }, seed: 1 }]);
  });

  it.each<[string, ProviderError]>([
    ["of another field", refusal("unknown parameter: seed")],
    ["of the key", new ProviderError("authentication", "No thinking without a key.", { status: 401 })],
    ["for the moment", new ProviderError("rate_limit", "Too much thinking.", { status: 429 })],
  ])("fails with a refusal %s, and learns nothing of it", async (_, error) => {
    const { seen, ask } = server(() => false, error);
    await expect(ask({ thinking: "low" })).rejects.toBe(error);
    expect(seen).toHaveLength(1);
  });

  it("fails with the last refusal where the level was not to blame, and learns nothing", async () => {
    let isDown = true;
    const { seen, ask } = server(() => !isDown);
    await expect(ask({ thinking: "max" })).rejects.toThrow("thinking is not supported");
    isDown = false;
    expect(await ask({ thinking: "max" })).toEqual([text, finish]);
    expect(seen).toHaveLength(4);
  });
});
