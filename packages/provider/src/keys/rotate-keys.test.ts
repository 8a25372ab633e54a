import type { ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { ProviderError } from "../errors.ts";
import { generate } from "../generate.ts";
import type { ModelEvent, ModelRequest, Provider, Session } from "../provider.ts";
import { withRetry } from "../retry/with-retry.ts";
import { type ScriptedStep, scripted } from "../scripted.ts";
import { type RotateKeysOptions, rotateKeys } from "./rotate-keys.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "hello" }] };
const keys = ["sk-canary-one", "sk-canary-two", "sk-canary-three"];

describe("rotateKeys", () => {
  it("continues at once with the next key when one is limited, and names it by its number", async () => {
    const { provider, made } = rotating([[limit({ retryAfter: 20 })], ["Hi."]]);
    expect(await collect(provider.stream(request))).toEqual([
      {
        type: "retry",
        attempt: 1,
        delay: 0,
        code: "rate_limit",
        message: "With key 1 of 3: Too many requests. Continuing with key 2 of 3.",
      },
      { type: "text", text: "Hi." },
      expect.objectContaining({ type: "usage" }),
      { type: "finish", reason: "stop" },
    ]);
    expect(made).toEqual(keys.slice(0, 2));
  });

  it("begins with the key that worked, even if the first one is available again", async () => {
    const { provider, made, advance } = rotating([[limit({ retryAfter: 20 })], ["one", "two", "three"]]);
    expect(await text(provider)).toBe("one");
    expect(await text(provider)).toBe("two");
    advance(3_600_000);
    expect(await text(provider)).toBe("three");
    expect(made).toEqual(keys.slice(0, 2));
  });

  it("comes back to a key when its rest is over", async () => {
    const { provider, advance } = rotating([
      [limit({ retryAfter: 20 }), "back"],
      [limit({ retryAfter: 90 })],
      [limit({ retryAfter: 90 })],
    ]);
    await expect(text(provider)).rejects.toMatchObject({ code: "rate_limit", retryAfter: 20 });
    advance(19_000);
    await expect(text(provider)).rejects.toMatchObject({ retryAfter: 1 });
    advance(1_000);
    expect(await text(provider)).toBe("back");
  });

  it("throws the error of the key that is available first, without asking the server while all rest", async () => {
    const { provider, requests } = rotating([
      [limit({ retryAfter: 50 })],
      [limit({ retryAfter: 7.5, status: 429 })],
      [limit({ retryAfter: 30 })],
    ]);
    const expected = {
      code: "rate_limit",
      status: 429,
      retryable: true,
      retryAfter: 7.5,
      message: "Every key is limited. The first to be available is key 2 of 3, in 7.5 s: Too many requests.",
    };
    await expect(text(provider)).rejects.toMatchObject(expected);
    await expect(text(provider)).rejects.toMatchObject(expected);
    expect(requests()).toBe(3);
  });

  it("gives a long time until then in whole seconds", async () => {
    const { provider, advance } = rotating([90, 98, 99].map((retryAfter) => [limit({ retryAfter })]));
    await expect(text(provider)).rejects.toThrow("in 90 s:");
    advance(6);
    await expect(text(provider)).rejects.toThrow("in 90 s:");
  });

  const rests: { name: string; error: ProviderError; options?: RotateKeysOptions; retryAfter: number }[] = [
    { name: "a minute if the server does not say how long", error: limit(), retryAfter: 60 },
    { name: "a minute if what the server says is no time", error: limit({ retryAfter: Number.NaN }), retryAfter: 60 },
    { name: "as long as the options say then", error: limit(), options: { rest: 5_000 }, retryAfter: 5 },
    { name: "an hour when the quota is used up", error: limit({ retryable: false }), retryAfter: 3_600 },
    {
      name: "an hour also when the server asks for less then",
      error: limit({ retryable: false, retryAfter: 1 }),
      retryAfter: 3_600,
    },
    {
      name: "as long as the server says when that is more",
      error: limit({ retryable: false, retryAfter: 9_000 }),
      retryAfter: 9_000,
    },
    {
      name: "as long as the options say when the quota is used up",
      error: limit({ retryable: false }),
      options: { quotaRest: 10_000 },
      retryAfter: 10,
    },
  ];
  it.each(rests)("lets a key rest $name", async ({ error, options, retryAfter }) => {
    const { provider } = rotating([[error], [error], [error]], options);
    await expect(text(provider)).rejects.toMatchObject({ retryAfter, retryable: error.retryable });
  });

  it("tries each key once for each request, even if the server allows a retry at once", async () => {
    const { provider, requests } = rotating([
      [limit({ retryAfter: 0 })],
      [limit({ retryAfter: 0 })],
      [limit({ retryAfter: 0 })],
    ]);
    await expect(text(provider)).rejects.toMatchObject({ retryAfter: 0 });
    expect(requests()).toBe(3);
  });

  it("throws other errors, and errors after the first event, unchanged", async () => {
    const { provider, made } = rotating([
      [new ProviderError("overloaded", "Busy."), { chunks: "Hel", error: limit() }, { error: new TypeError("A bug.") }],
    ]);
    await expect(text(provider)).rejects.toMatchObject({ code: "overloaded" });
    await expect(text(provider)).rejects.toMatchObject({ code: "rate_limit", partial: "Hel" });
    await expect(text(provider)).rejects.toThrow(TypeError);
    expect(made).toEqual(keys.slice(0, 1));
  });

  it("makes a withRetry around it wait until a key is available", async () => {
    const { provider } = rotating([[limit({ retryAfter: 0.03 }), "Hi."], [limit({ retryAfter: 9 })], [limit()]], {
      clock: Date.now,
    });
    const events = await collect(withRetry(provider).stream(request));
    const retries = events.filter((event) => event.type === "retry");
    expect(retries.map(({ delay }) => delay > 0)).toEqual([false, false, true]);
    expect(retries.at(-1)?.delay).toBeLessThanOrEqual(30);
    expect(events.filter((event) => event.type === "text")).toEqual([{ type: "text", text: "Hi." }]);
  });

  it("ends an aborted request as aborted, without asking, also when all keys rest", async () => {
    const { provider, requests } = rotating([[limit()], [limit()], [limit()]]);
    const aborted = { signal: AbortSignal.abort() };
    expect(await collect(provider.stream(request, aborted))).toEqual([{ type: "finish", reason: "aborted" }]);
    await expect(text(provider)).rejects.toThrow("Every key is limited");
    expect(await collect(provider.stream(request, aborted))).toEqual([{ type: "finish", reason: "aborted" }]);
    expect(requests()).toBe(3);
  });

  it("rotates generate, with the retries before the events", async () => {
    const { provider } = rotating([[limit()], ["Hi."]], {}, { generates: true });
    const events = await provider.generate?.(request);
    expect(events?.map((event) => event.type)).toEqual(["retry", "text", "usage", "finish"]);
  });

  it("rotates connect, and opens a session again with the whole conversation when its key is limited", async () => {
    const { provider, made, heard } = rotating([[], ["Hi.", limit()], ["Ho.", "Hm."]], {}, { connects: [limit()] });
    const session = await provider.connect?.(request);
    expect(await said(session?.send("one"))).toBe("Hi.");
    expect(await collect(session?.send("two"))).toMatchObject([
      { type: "retry", delay: 0, message: "With key 2 of 3: Too many requests. Continuing with key 3 of 3." },
      { type: "text", text: "Ho." },
      { type: "usage" },
      { type: "finish" },
    ]);
    expect(await said(session?.send("three"))).toBe("Hm.");
    expect(heard(2)).toEqual(["hello one Hi. two", "hello one Hi. two Ho. three"]);
    expect(made).toEqual(keys);
    await session?.close();
    await expect(said(session?.send("four"))).rejects.toThrow("The session is closed.");
  });

  it("continues in the first session if no other key is available", async () => {
    const connects = [undefined, limit(), limit()];
    const { provider, advance, heard } = rotating([["Hi.", limit(), "Ho."]], {}, { connects });
    const session = await provider.connect?.(request);
    expect(await said(session?.send("one"))).toBe("Hi.");
    await expect(said(session?.send("two"))).rejects.toThrow("Every key is limited.");
    advance(60_000);
    expect(await said(session?.send("two"))).toBe("Ho.");
    expect(heard(0)).toEqual(["hello one", "hello one Hi. two", "hello one Hi. two"]);
  });

  it("calls the `onRetry` of connect when it continues with another key", async () => {
    const told: string[] = [];
    const { provider } = rotating([[], ["Hi."]], {}, { connects: [limit()] });
    await provider.connect?.(request, { onRetry: ({ message }) => void told.push(message) });
    expect(told).toEqual(["With key 1 of 3: Too many requests. Continuing with key 2 of 3."]);
  });

  it("has generate and connect exactly if the provider has them", () => {
    expect(rotating([[]]).provider).not.toHaveProperty("generate");
    expect(rotating([[]]).provider).not.toHaveProperty("connect");
    expect(rotating([[]], {}, { generates: true }).provider).toHaveProperty("generate");
    expect(rotating([[]], {}, { connects: [] }).provider).toHaveProperty("connect");
  });

  it("has the properties of the first provider, and creates one provider for each key", () => {
    const { provider, made } = rotating([[], [], []]);
    expect(provider).toMatchObject({ name: "scripted", model: "scripted-1", capabilities: { tools: false } });
    expect(made).toEqual(keys.slice(0, 1));
  });

  it("does not end a key's rest for a request that began before it and is refused with a shorter one", async () => {
    const late = Promise.withResolvers<void>();
    const quota = limit({ retryable: false });
    const answers: Record<string, (() => Promise<string>)[]> = {
      one: [() => late.promise.then(() => Promise.reject(limit({ retryAfter: 0 }))), () => Promise.reject(quota)],
      two: [async () => "Hi.", async () => "Ho.", () => Promise.reject(limit({ retryAfter: 5 }))],
    };
    const provider = rotateKeys(["one", "two"], (key) => ({
      ...scripted([]),
      async *stream() {
        const answer = answers[key]?.shift() ?? expect.unreachable(`a request too many with ${key}`);
        yield { type: "text", text: await answer() };
      },
    }));
    const first = text(provider);
    expect(await text(provider)).toBe("Hi.");
    late.resolve();
    expect(await first).toBe("Ho.");
    await expect(text(provider)).rejects.toThrow("The first to be available is key 2 of 2");
  });

  it("never rests a single key: the server is asked each time", async () => {
    const error = limit();
    const provider = rotateKeys(["sk-canary-one", "sk-canary-one"], () => scripted([{ error }, "Hi."]));
    await expect(text(provider)).rejects.toBe(error);
    expect(await text(provider)).toBe("Hi.");
  });

  it("ignores duplicate keys", async () => {
    const provider = rotateKeys(["sk-canary-one", "sk-canary-one", "sk-canary-two"], () =>
      scripted([{ error: limit() }]),
    );
    await expect(text(provider)).rejects.toThrow("of 2");
  });

  it.each([[[]], [[""]], [["sk-canary-one", "  "]]])("refuses the keys %j", (keys) => {
    expect(() => rotateKeys(keys, () => scripted([]))).toThrow(
      expect.objectContaining({ code: "missing_key", message: expect.not.stringContaining("canary") }),
    );
  });

  it.each([{ rest: -1 }, { quotaRest: Number.NaN }])("refuses the times %j", (options) => {
    expect(() => rotateKeys(keys, () => scripted([]), options)).toThrow(RangeError);
  });

  it("never shows a key, even if the server quotes it", async () => {
    const errors = keys.map((key) => new ProviderError("rate_limit", `Too many requests with ${key}.`));
    const { provider } = rotating(errors.map((error) => [error]));
    const events: ModelEvent[] = [];
    const failure = await (async () => {
      for await (const event of provider.stream(request)) events.push(event);
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderError);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events) + (failure as Error).message + (failure as Error).stack).not.toContain("canary");
  });
});

/** A provider over three keys, each of which plays its own script; `connects` are the errors with which they refuse. */
function rotating(
  scripts: readonly (readonly (string | ProviderError | ScriptedStep)[])[],
  options: RotateKeysOptions = {},
  { generates = false, connects }: { generates?: boolean; connects?: readonly (ProviderError | undefined)[] } = {},
) {
  const made: string[] = [];
  const models: ReturnType<typeof scripted>[] = [];
  let now = 1_700_000_000_000;
  const make = (key: string): Provider => {
    made.push(key);
    const steps = (scripts[keys.indexOf(key)] ?? []).map((step) => (step instanceof Error ? { error: step } : step));
    const model = scripted(steps);
    models.push(model);
    return {
      ...model,
      ...(generates ? { generate: (asked, streamOptions) => generate(model, asked, streamOptions) } : {}),
      ...(connects ? { connect: async (asked) => sessionOf(model, asked, connects[keys.indexOf(key)]) } : {}),
    };
  };
  return {
    provider: rotateKeys(keys, make, { clock: () => now, ...options }),
    made,
    /** What the model of a key was told, request by request. */
    heard: (index: number) => {
      const requests = models[made.indexOf(keys[index] ?? "")]?.requests ?? [];
      return requests.map(({ messages }) => messages.map((said) => "content" in said && said.content).join(" "));
    },
    requests: () => models.reduce((sum, model) => sum + model.requests.length, 0),
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

async function sessionOf(model: Provider, asked: ModelRequest, refusal: ProviderError | undefined): Promise<Session> {
  if (refusal) throw refusal;
  let { messages } = asked;
  let isClosed = false;
  return {
    async *send(content, options) {
      if (isClosed) throw new Error("The session is closed.");
      const told: ModelMessage[] = [...messages, { role: "user", content }];
      let answer = "";
      for await (const event of model.stream({ ...asked, messages: told }, options)) {
        if (event.type === "text") answer += event.text;
        yield event;
      }
      messages = [...told, { role: "assistant", content: answer }];
    },
    async close() {
      isClosed = true;
    },
  };
}

function limit(options: { retryAfter?: number; retryable?: boolean; status?: number } = {}): ProviderError {
  return new ProviderError("rate_limit", "Too many requests.", options);
}

async function text(provider: Provider): Promise<string> {
  return said(provider.stream(request));
}

async function said(events: AsyncIterable<ModelEvent> | undefined): Promise<string> {
  let said = "";
  for await (const event of events ?? []) if (event.type === "text") said += event.text;
  return said;
}
