import { describe, expect, it } from "vitest";
import { collect } from "../../test/support/collect.ts";
import { ProviderError, type ProviderErrorCode, type ProviderErrorOptions } from "../errors.ts";
import { generate } from "../generate.ts";
import type { ModelEvent, ModelRequest, Provider, RetryEvent } from "../provider.ts";
import { type ScriptedStep, scripted } from "../scripted.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { withRetry } from "./with-retry.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "hello" }] };
const quick: RetryPolicy = { baseDelay: 2, random: () => 1 };

describe("withRetry", () => {
  it("retries a failed request, up to three tries in all, and yields a retry event for each", async () => {
    const model = scripted([failure("overloaded"), failure("connection"), "Hi."]);
    expect(await collect(withRetry(model, quick).stream(request))).toEqual([
      { type: "retry", attempt: 1, delay: 2, code: "overloaded", message: "It says overloaded." },
      { type: "retry", attempt: 2, delay: 4, code: "connection", message: "It says connection." },
      { type: "text", text: "Hi." },
      expect.objectContaining({ type: "usage" }),
      { type: "finish", reason: "stop" },
    ]);
    model.assertDone();
  });

  it("throws the error of the last try unchanged", async () => {
    const last = failure("server");
    const model = scripted([failure("overloaded"), failure("overloaded"), last, "never"]);
    await expect(collect(withRetry(model, quick).stream(request))).rejects.toBe(last.error);
    expect(model.requests).toHaveLength(3);
  });

  it("does not retry with `attempts: 1`", async () => {
    const model = scripted([failure("overloaded"), "never"]);
    await expect(collect(withRetry(model, { attempts: 1 }).stream(request))).rejects.toThrow("overloaded");
    expect(model.requests).toHaveLength(1);
  });

  it.each<ProviderErrorCode>([
    "missing_key",
    "authentication",
    "permission",
    "not_found",
    "bad_request",
    "bad_response",
  ])("does not retry errors that will not pass: %s", async (code) => {
    const model = scripted([failure(code), "never"]);
    await expect(collect(withRetry(model, quick).stream(request))).rejects.toMatchObject({ code });
    expect(model.requests).toHaveLength(1);
  });

  it("does not wait for a quota that is used up", async () => {
    const model = scripted([failure("rate_limit", { retryable: false }), "never"]);
    await expect(collect(withRetry(model, quick).stream(request))).rejects.toMatchObject({ code: "rate_limit" });
  });

  it("retries the errors for which `retryOn` returns true", async () => {
    const policy: RetryPolicy = { ...quick, retryOn: ({ code }) => code === "bad_response" };
    const model = scripted([failure("bad_response"), failure("overloaded"), "never"]);
    await expect(collect(withRetry(model, policy).stream(request))).rejects.toMatchObject({ code: "overloaded" });
    expect(model.requests).toHaveLength(2);
  });

  it("does not retry errors other than ProviderError", async () => {
    const model = scripted([{ error: new TypeError("A bug.") }, "never"]);
    await expect(collect(withRetry(model, { retryOn: () => true }).stream(request))).rejects.toThrow(TypeError);
    expect(model.requests).toHaveLength(1);
  });

  const beginnings: ModelEvent[] = [
    { type: "text", text: "Hel" },
    { type: "reasoning", text: "Hm" },
    { type: "tool_call_delta", index: 0, arguments: "{" },
    { type: "tool_call", id: "a", name: "read", arguments: "{}" },
  ];
  it.each(beginnings)("throws the error unchanged after a $type event", async (event) => {
    const model = scripted([{ ...failure("cut_stream"), events: [event] }, "never"]);
    await expect(collect(withRetry(model, quick).stream(request))).rejects.toMatchObject({ code: "cut_stream" });
    expect(model.requests).toHaveLength(1);
  });

  it("waits for as long as the server asks", async () => {
    const model = scripted([failure("rate_limit", { retryAfter: 0.05 }), "Hi."]);
    const begin = Date.now();
    await collect(withRetry(model, { baseDelay: 0 }).stream(request));
    expect(Date.now() - begin).toBeGreaterThanOrEqual(49);
  });

  it("throws the error at once if the server asks for more than `maxRetryAfter`", async () => {
    const step = failure("rate_limit", { retryAfter: 61 });
    const model = scripted([step, "never"]);
    await expect(collect(withRetry(model).stream(request))).rejects.toBe(step.error);
    expect(model.requests).toHaveLength(1);
  });

  it("ends as aborted when the wait is aborted", async () => {
    const model = scripted([failure("rate_limit", { retryAfter: 60 }), "never"]);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of withRetry(model).stream(request, { signal: controller.signal })) {
      events.push(event);
      setTimeout(() => controller.abort());
    }
    expect(events.map((event) => event.type)).toEqual(["retry", "finish"]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
    expect(model.requests).toHaveLength(1);
  });

  it("ends as aborted when the abort comes together with the failure", async () => {
    const controller = new AbortController();
    const model: Provider = {
      ...scripted([]),
      async *stream() {
        controller.abort();
        yield* [];
        throw failure("connection").error;
      },
    };
    const events = await collect(withRetry(model, quick).stream(request, { signal: controller.signal }));
    expect(events).toEqual([{ type: "finish", reason: "aborted" }]);
  });

  it("makes no request with a signal that has aborted", async () => {
    const model = scripted(["never"]);
    const events = await collect(withRetry(model).stream(request, { signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: "finish", reason: "aborted" }]);
    expect(model.requests).toHaveLength(0);
  });

  it("closes the provider's stream when the consumer leaves, and ends a wait", async () => {
    let closed = 0;
    const model: Provider = {
      ...scripted([]),
      async *stream() {
        try {
          yield { type: "text", text: "Hi." };
          yield { type: "finish", reason: "stop" };
        } finally {
          closed++;
        }
      },
    };
    for await (const event of withRetry(model).stream(request)) if (event.type === "text") break;
    expect(closed).toBe(1);

    const failing = scripted([failure("rate_limit", { retryAfter: 60 }), "never"]);
    for await (const event of withRetry(failing).stream(request)) if (event.type === "retry") break;
    expect(failing.requests).toHaveLength(1);
  });

  it("calls `onRetry` for every retry, including those of generate and connect", async () => {
    const told: string[] = [];
    const policy: RetryPolicy = { ...quick, onRetry: ({ attempt, code }) => told.push(`${attempt} ${code}`) };
    await collect(withRetry(scripted([failure("server"), "Hi."]), policy).stream(request));
    await withRetry(generating([failure("timeout"), "Hi."]), policy).generate?.(request);
    await withRetry(connecting([failure("overloaded"), failure("connection")]), policy).connect?.(request);
    expect(told).toEqual(["1 server", "1 timeout", "1 overloaded", "2 connection"]);
  });

  it("puts the retries of generate before its events", async () => {
    const events = await withRetry(generating([failure("server"), "Hi."]), quick).generate?.(request);
    expect(events?.map((event) => event.type)).toEqual(["retry", "text", "usage", "finish"]);
  });

  it("returns from generate as aborted when the wait is aborted", async () => {
    const controller = new AbortController();
    const policy: RetryPolicy = { onRetry: () => setTimeout(() => controller.abort()) };
    const model = generating([failure("rate_limit", { retryAfter: 60 }), "never"]);
    const events = await withRetry(model, policy).generate?.(request, { signal: controller.signal });
    expect(events?.map((event) => event.type)).toEqual(["retry", "finish"]);
    expect(events?.at(-1)).toEqual({ type: "finish", reason: "aborted" });
  });

  it("fails in connect as the provider does when the wait is aborted", async () => {
    const controller = new AbortController();
    const policy: RetryPolicy = { onRetry: () => setTimeout(() => controller.abort()) };
    const model = connecting([failure("rate_limit", { retryAfter: 60 })]);
    const connected = withRetry(model, policy).connect?.(request, { signal: controller.signal });
    await expect(connected).rejects.toThrow("The connection was given up.");
  });

  it("calls the `onRetry` of connect for every retry", async () => {
    const told: string[] = [];
    const onRetry = ({ attempt, code }: RetryEvent) => void told.push(`${attempt} ${code}`);
    const model = connecting([failure("rate_limit"), failure("connection")]);
    await withRetry(model, quick).connect?.(request, { onRetry });
    expect(told).toEqual(["1 rate_limit", "2 connection"]);
  });

  it("repeats the sends of a session, and closes it", async () => {
    const model = connecting([], [failure("overloaded"), "Hi."]);
    const session = await withRetry(model, quick).connect?.(request);
    const events = await collect(session?.send("hello") ?? []);
    expect(events.map((event) => event.type)).toEqual(["retry", "text", "usage", "finish"]);
    await session?.close();
    expect(model.closed()).toBe(1);
  });

  it("ends a send as aborted when the session is closed while it waits", async () => {
    const model = connecting([], [failure("rate_limit", { retryAfter: 60 }), "never"]);
    const session = await withRetry(model).connect?.(request);
    const types: string[] = [];
    for await (const event of session?.send("hello") ?? []) {
      types.push(event.type);
      if (event.type === "retry") void session?.close();
    }
    expect(types).toEqual(["retry", "finish"]);
    expect(model.requests).toHaveLength(1);
  });

  it("may wrap another withRetry, whose retries do not count as the first event", async () => {
    const model = scripted([failure("server"), failure("server"), failure("server"), "Hi."]);
    const inner = withRetry(model, { ...quick, attempts: 2 });
    const events = await collect(withRetry(inner, { ...quick, attempts: 2 }).stream(request));
    expect(events.map((event) => event.type)).toEqual(["retry", "retry", "retry", "text", "usage", "finish"]);
  });

  it("numbers retries continuously, including those of a wrapped one", async () => {
    const failures = () => [failure("server"), failure("server"), failure("server")];
    const nested = (model: Provider) => withRetry(withRetry(model, { ...quick, attempts: 2 }), quick);
    const streamed = await collect(nested(scripted([...failures(), "Hi."])).stream(request));
    expect(attemptsOf(streamed)).toEqual([1, 2, 3]);

    const told: RetryEvent[] = [];
    const onRetry = (retry: RetryEvent) => void told.push(retry);
    const session = await nested(connecting(failures(), [...failures(), "Hi."])).connect?.(request, { onRetry });
    expect(attemptsOf(told)).toEqual([1, 2, 3]);
    expect(attemptsOf(await collect(session?.send("hello") ?? []))).toEqual([1, 2, 3]);
  });

  it("numbers the retries of an answer that comes as a whole", async () => {
    const retry: RetryEvent = { type: "retry", attempt: 1, delay: 0, code: "server", message: "It failed." };
    const busy = new ProviderError("overloaded", "Busy.");
    let asked = 0;
    const model: Provider = {
      ...scripted([]),
      async generate() {
        if (asked++ === 0) throw busy;
        return [retry, { type: "finish", reason: "stop" }];
      },
    };
    expect(attemptsOf(await generate(withRetry(model, quick), request))).toEqual([1, 2]);
  });

  it("has the properties of the provider it wraps, with generate and connect only if that has them", () => {
    const model = scripted([], { name: "acme", model: "acme-1", capabilities: { tools: true } });
    const wrapped = withRetry(model);
    expect(wrapped).toMatchObject({ name: "acme", model: "acme-1", capabilities: model.capabilities });
    expect(wrapped).not.toHaveProperty("generate");
    expect(wrapped).not.toHaveProperty("connect");
    expect(withRetry(generating([]))).toHaveProperty("generate");
    expect(withRetry(connecting([]))).toHaveProperty("connect");
  });

  it("refuses a wrong policy at once", () => {
    expect(() => withRetry(scripted([]), { attempts: 0 })).toThrow(RangeError);
  });
});

function failure(code: ProviderErrorCode, options: ProviderErrorOptions = {}): { error: ProviderError } {
  return { error: new ProviderError(code, `It says ${code}.`, options) };
}

function generating(steps: readonly ScriptedStep[]): Provider {
  const model = scripted(steps);
  return { ...model, generate: (asked, options) => generate(model, asked, options) };
}

/** Refuses to connect with each of `refusals` in turn, then plays `steps` in its session. */
function connecting(refusals: readonly { error: ProviderError }[], steps: readonly ScriptedStep[] = []) {
  const model = scripted(steps);
  const left = [...refusals];
  let closed = 0;
  const provider: Provider = {
    ...model,
    async connect(_request, options) {
      if (options?.signal?.aborted) throw new ProviderError("connection", "The connection was given up.");
      const refusal = left.shift();
      if (refusal) throw refusal.error;
      return {
        send: (content, sendOptions) =>
          model.stream({ system: "", messages: [{ role: "user", content }] }, sendOptions),
        async close() {
          closed++;
        },
      };
    },
  };
  return { ...provider, requests: model.requests, closed: () => closed };
}

function attemptsOf(events: readonly ModelEvent[]): number[] {
  return events.flatMap((event) => (event.type === "retry" ? [event.attempt] : []));
}
