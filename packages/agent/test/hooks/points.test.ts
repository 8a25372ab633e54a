import { ProviderError } from "@cogency/provider";
import { defaultToolTimeout } from "@cogency/tools/host";

import { describe, expect, it, vi } from "vitest";
import { type AgentHook, RunError } from "../../src/index.ts";
import { at, callThenAnswer, hooked, type LoopPoint, loopPoints } from "./stage.ts";

const guards: readonly LoopPoint[] = ["beforeRun", "beforeStep", "beforeRequest", "afterResponse"];
const watchers = loopPoints.filter((point) => !guards.includes(point));

/** What a run of the loop plays so that this point is reached. */
const stepsOf = (point: LoopPoint) =>
  point === "onError" ? [{ error: new ProviderError("connection", "no line") }] : callThenAnswer;

/** A value of each field of each effect that its point admits. */
const fields: Record<string, unknown> = {
  patch: { seen: true },
  stop: { reason: "stop_requested", message: "enough" },
  notify: "Mind the step.",
  holds: [{ holds: "untrusted", source: "s" }],
  refuse: "no",
  ask: "sure?",
  provider: { name: "p", model: "m", capabilities: {}, stream: () => [] },
  driver: { name: "d", batch: {}, begin: () => undefined },
  request: { temperature: 0.5 },
  tools: ["act"],
  continue: "Go on.",
  block: "no",
  call: { name: "act" },
  replace: { value: 1 },
  messages: [],
  system: "You are free.",
  metadata: {},
};

const admitted: Record<LoopPoint, readonly string[]> = {
  beforeRun: ["patch", "stop", "notify", "holds"],
  beforeStep: ["patch", "stop", "notify", "holds", "provider", "driver", "request", "tools"],
  beforeRequest: ["patch", "stop", "request"],
  afterResponse: ["patch", "stop"],
  afterStep: ["patch", "stop", "continue", "holds"],
  onStop: ["patch", "stop", "continue", "holds"],
  onError: ["patch"],
  afterRun: ["patch"],
};

const refused = loopPoints.flatMap((point) =>
  Object.keys(fields).flatMap((field) => (admitted[point].includes(field) ? [] : [[point, field] as const])),
);

describe("what a hook may change", () => {
  it.each(refused)("at %s is not `%s`", async (point, field) => {
    const { go, toldOf } = hooked(stepsOf(point), [at(point, () => ({ [field]: fields[field] }))]);
    const { error } = await go();
    const message = `The hook "at ${point}" broke its contract at ${point}: ${field} is not what this trigger admits.`;
    expect(toldOf("hook_violation")[0]).toMatchObject({ hook: `at ${point}`, message });
    if (guards.includes(point)) {
      expect(error).toMatchObject({ code: "hook", message });
      expect(error?.cause).toMatchObject({ name: "ToolError", code: "hook_contract" });
    } else expect(error?.code).toBe(point === "onError" ? "provider" : undefined);
  });

  const wrong: [LoopPoint, object, string][] = [
    ["beforeRun", { patch: 1 }, "patch"],
    ["beforeRun", { stop: {} }, "stop.reason"],
    ["beforeRun", { stop: { reason: "error", why: "" } }, "stop.why"],
    ["beforeRun", { notify: 1 }, "notify"],
    ["beforeStep", { provider: {} }, "provider"],
    ["beforeStep", { driver: {} }, "driver"],
    ["beforeStep", { tools: "act" }, "tools"],
    ["beforeStep", { tools: [1] }, "tools"],
    ["beforeStep", { request: { stop: [] } }, "request.stop"],
    ["beforeStep", { request: { format: {} } }, "request.format"],
    ["beforeStep", { request: { model: 1 } }, "request.model"],
    ["beforeRequest", { request: { temperature: "hot" } }, "request.temperature"],
    ["beforeRequest", { request: { maxOutputTokens: "1" } }, "request.maxOutputTokens"],
    ["beforeRequest", { request: { options: [] } }, "request.options"],
    ["afterResponse", [], "the returned value"],
    ["afterStep", { continue: true }, "continue"],
    ["onStop", { continue: 1 }, "continue"],
  ];
  it.each(wrong)("at %s is not %o", async (point, effect, path) => {
    const { go, toldOf } = hooked(callThenAnswer, [at(point, () => effect)]);
    await go();
    expect(toldOf("hook_violation")[0]?.message).toContain(`at ${point}: ${path} is`);
  });

  const right = loopPoints.flatMap((point) =>
    admitted[point].flatMap((field) => (field === "provider" || field === "driver" ? [] : [[point, field] as const])),
  );
  it.each(right)("at %s is `%s`", async (point, field) => {
    const { go, toldOf } = hooked(
      [...stepsOf(point), "More.<end>", "More.<end>", "More.<end>"],
      [at(point, () => ({ [field]: fields[field] }))],
    );
    await go();
    expect(toldOf("hook_violation")).toEqual([]);
  });

  it("may be nothing at all", async () => {
    const hooks = loopPoints.map((point) => at(point, () => undefined));
    expect(await hooked(callThenAnswer, hooks).go()).toMatchObject({ status: "completed", text: "Done.", steps: 2 });
  });

  it.each(loopPoints)("at %s includes the metadata, which the result gives", async (point) => {
    const count: AgentHook = at(point, () => ({ patch: ({ n = 0 }) => ({ n: Number(n) + 1 }) }));
    const { metadata } = await hooked(stepsOf(point), [count]).go({ metadata: { of: "me" } });
    const isPerStep = ["beforeStep", "beforeRequest", "afterResponse", "afterStep"].includes(point);
    expect(metadata).toEqual({ of: "me", n: isPerStep ? 2 : 1 });
  });
});

describe("a hook that fails", () => {
  const failing: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("out of ink");
      },
    ],
    ["rejects", () => Promise.reject(new Error("out of ink"))],
    [
      "gives a patch that throws",
      () => ({
        patch: () => {
          throw new Error("out of ink");
        },
      }),
    ],
  ];
  describe.each(failing)("and %s", (_, fail) => {
    it.each(guards)("at %s ends the run", async (point) => {
      const { go, toldOf } = hooked(callThenAnswer, [at(point, fail)]);
      const { status, error } = await go();
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "hook", message: expect.stringContaining("out of ink") });
      expect(error?.cause).toMatchObject({ name: "ToolError", code: "hook_failed" });
      expect(error?.cause).toMatchObject({ hook: `at ${point}`, trigger: point });
      expect(toldOf("hook_violation")).toHaveLength(1);
      expect(toldOf("run_ended")).toMatchObject([{ status: "failed", error: { code: "hook" } }]);
    });

    it.each(watchers)("at %s changes nothing", async (point) => {
      const alone = await hooked(stepsOf(point), []).go();
      const { go, toldOf } = hooked(stepsOf(point), [at(point, fail)]);
      expect(await go()).toMatchObject({ ...alone, ...(alone.error && { error: { code: alone.error.code } }) });
      expect(toldOf("hook_violation").length).toBeGreaterThan(0);
    });
  });

  it.each(loopPoints)("by taking longer than `execution.timeout` fails at %s", async (point) => {
    const never = at(point, () => new Promise(() => {}));
    const { go, toldOf } = hooked(stepsOf(point), [never], { execution: { timeout: 5 } });
    const { error } = await go();
    expect(toldOf("hook_violation")[0]?.message).toContain("it took longer than 5 ms");
    if (guards.includes(point)) expect(error).toBeInstanceOf(RunError);
  });

  it("may take as long as a tool by default, in the loop and around tools alike", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      for (const point of ["beforeStep", "beforeToolUse"] as const) {
        const begun = Promise.withResolvers<void>();
        const never = () => {
          begun.resolve();
          return new Promise(() => {});
        };
        const { go, toldOf } = hooked(callThenAnswer, [at(point, never)]);
        let isOver = false;
        const going = go().finally(() => {
          isOver = true;
        });
        await begun.promise;
        await vi.advanceTimersByTimeAsync(defaultToolTimeout - 1);
        expect(toldOf("hook_violation")).toEqual([]);
        while (!isOver) {
          await vi.advanceTimersByTimeAsync(1000);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await going;
        expect(toldOf("hook_violation")[0]?.message).toContain(`it took longer than ${defaultToolTimeout} ms`);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("before the first request leaves no request, and the prompt in the log", async () => {
    const { go, provider, log } = hooked(callThenAnswer, [at("beforeStep", () => Promise.reject(new Error("no")))]);
    await go();
    expect(provider.requests).toEqual([]);
    expect((await log()).map(({ type }) => type)).toEqual(["record", "user"]);
  });

  it("before a request does not count as a provider that is down", async () => {
    const second = hooked(["never asked"], []).provider;
    const { go } = hooked(callThenAnswer, [at("beforeRequest", () => Promise.reject(new Error("no")))], {
      fallback: [second],
    });
    expect((await go()).error?.code).toBe("hook");
    expect(second.requests).toEqual([]);
  });
});

describe("a run that is aborted", () => {
  it.each(loopPoints.filter((point) => point !== "onError"))("does not hang on a hook at %s", async (point) => {
    const controller = new AbortController();
    const hanging = at(point, () => {
      controller.abort();
      return new Promise(() => {});
    });
    const { go } = hooked(callThenAnswer, [hanging]);
    const { status, stop } = await go({ signal: controller.signal });
    if (point === "onStop" || point === "afterRun") expect(status).toBe("completed");
    else expect({ status, stop }).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });
});
