import { describe, expect, it } from "vitest";
import { at, callThenAnswer, hooked } from "./stage.ts";

describe("a hook that changes what it was given", () => {
  it("cannot take the calls from a response: the run fails, or each call has its result", async () => {
    const hook = at("afterResponse", ({ calls }: { calls: unknown[] }) => {
      calls.length = 0;
      return { stop: { reason: "stop_requested" } };
    });
    const { go, effects, provider } = hooked(callThenAnswer, [hook]);
    expect(await go()).toMatchObject({ status: "failed", error: { code: "hook" } });
    expect([effects, provider.requests.length]).toEqual([[], 1]);
  });

  it("cannot change why the run ends", async () => {
    const hook = at("onStop", ({ stop }: { stop: { reason: string; context: object } }) => {
      try {
        Object.assign(stop.context, { maxSteps: 100 });
      } finally {
        stop.reason = "completed";
      }
    });
    const { go, log, toldOf } = hooked(callThenAnswer, [hook], { budget: { steps: 1 } });
    const stop = { reason: "steps_limit", context: { currentSteps: 1, maxSteps: 1 } };
    expect(await go()).toMatchObject({ status: "stopped", stop });
    expect((await log()).at(-1)).toMatchObject({ kind: "run", data: { status: "stopped", stop } });
    expect(toldOf("hook_violation")).toHaveLength(1);
  });
});

describe("what a hook returns", () => {
  it.each<[string, object]>([
    ["maxOutputTokens", { request: { maxOutputTokens: -1_000_000 } }],
    ["maxOutputTokens", { request: { maxOutputTokens: Number.NaN } }],
    ["temperature", { request: { temperature: Number.NaN } }],
    ["provider", { provider: { stream() {} } }],
    ["driver", { driver: { begin() {} } }],
    ["notify", { notify: " " }],
  ])("for a step fails the run if the `%s` cannot be used: %o", async (field, effect) => {
    const { go, provider } = hooked(callThenAnswer, [at("beforeStep", () => effect)], { budget: { tokens: 5000 } });
    const message = expect.stringContaining(`broke its contract at beforeStep: `);
    expect(await go()).toMatchObject({ status: "failed", error: { code: "hook", message } });
    expect((await go()).error?.message).toContain(field);
    expect(provider.requests).toEqual([]);
  });

  it("is no step that the model reads nothing of", async () => {
    const { go, provider, toldOf } = hooked(["Hi.<end>", "Ho.<end>"], [at("onStop", () => ({ continue: "" }))]);
    expect(await go()).toMatchObject({ status: "completed", text: "Hi." });
    expect([provider.requests.length, toldOf("hook_violation").length]).toEqual([1, 1]);
  });

  it.each<[string, unknown]>([
    ["a promise", async () => ({ a: 1 })],
    ["a text", () => "abc"],
    ["an array", () => [1]],
  ])("is refused as a patch that gives %s, and the metadata stays", async (_, patch) => {
    const watching = hooked(callThenAnswer, [at("afterStep", () => ({ patch }))]);
    expect(await watching.go({ metadata: { kept: true } })).toMatchObject({
      status: "completed",
      metadata: { kept: true },
    });
    expect(watching.toldOf("hook_violation")).toHaveLength(2);
    const guarding = hooked(callThenAnswer, [at("beforeStep", () => ({ patch }))]);
    expect(await guarding.go()).toMatchObject({ status: "failed", error: { code: "hook" } });
  });

  it("may throw when it is read, and the violation names the hook", async () => {
    const getter = {
      get patch() {
        throw new Error("not now");
      },
    };
    const { go, toldOf } = hooked(callThenAnswer, [at("afterRun", () => getter)]);
    expect(await go()).toMatchObject({ status: "completed" });
    expect(toldOf("hook_violation")).toMatchObject([{ hook: "at afterRun" }]);
  });
});
