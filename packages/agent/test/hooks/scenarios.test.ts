import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import type { AgentHook } from "../../src/index.ts";
import { reactDriver } from "../../src/react.ts";
import { block, broken, conversation, endless } from "../support/fixtures.ts";
import { at, callThenAnswer, hooked } from "./stage.ts";

// Named after the scenarios of the behaviours; what differs from them by design is said in the name.

/** A hook at every point, which writes down the points in the order in which they came. */
function recording(trace: string[]): AgentHook {
  const note = (point: string) => () => void trace.push(point) as undefined;
  return {
    name: "recording",
    beforeRun: note("beforeRun"),
    beforeStep: note("beforeStep"),
    beforeRequest: note("beforeRequest"),
    afterResponse: note("afterResponse"),
    beforeToolUse: note("beforeToolUse"),
    afterToolUse: note("afterToolUse"),
    afterStep: note("afterStep"),
    onStop: note("onStop"),
    onError: note("onError"),
    afterRun: note("afterRun"),
  };
}

const step = ["beforeStep", "beforeRequest", "afterResponse"];

describe("S4 hook order and mutability", () => {
  it("calls the points in their order", async () => {
    const trace: string[] = [];
    await hooked(callThenAnswer, [recording(trace)]).go();
    const acting = ["beforeToolUse", "afterToolUse"];
    expect(trace).toEqual(["beforeRun", ...step, ...acting, "afterStep", ...step, "afterStep", "onStop", "afterRun"]);
  });

  it("ends the run where a guard returns what it may not, and names hook, field and point", async () => {
    const stage = hooked(callThenAnswer, [at("beforeStep", () => ({ call: { name: "other" } }))]);
    const { error } = await stage.go();
    expect(error?.cause).toMatchObject({
      name: "ToolError",
      hook: "at beforeStep",
      field: "call",
      trigger: "beforeStep",
    });
    expect(stage.toldOf("hook_violation")).toHaveLength(1);
  });
});

describe("S5 priority and stability", () => {
  it("runs the highest priority first, equal ones in their order, and each sees what came before", async () => {
    const seen: unknown[] = [];
    const noting = (name: string, priority: number): AgentHook => ({
      name,
      priority,
      beforeStep({ state }) {
        seen.push([name, state.metadata.last]);
        return { patch: { last: name } };
      },
    });
    await hooked(["Hello.<end>"], [noting("a", 0), noting("b", 0), noting("c", 10), noting("d", 0)]).go();
    expect(seen).toEqual([
      ["c", undefined],
      ["a", "c"],
      ["b", "a"],
      ["d", "b"],
    ]);
  });
});

describe("S6 a failed tool, a recovered run", () => {
  it("completes, with the failure counted, and tells no hook of an error", async () => {
    const trace: string[] = [];
    const steps = [block(["broken", {}]), "I could not print.<end>"];
    const stage = hooked(steps, [recording(trace)], { tools: [broken] });
    expect(await stage.go()).toMatchObject({ status: "completed", text: "I could not print.", toolErrors: 1 });
    expect(JSON.stringify(stage.provider.requests[1]?.messages)).toContain("out of paper");
    expect(trace).not.toContain("onError");
  });
});

const both = [block(["act", { what: "a" }], ["other", { what: "b" }]), "Done.<end>"];
const nope = at("beforeToolUse", ({ call }: { call: { name: string } }) =>
  call.name === "act" ? { block: "nope" } : undefined,
);

describe("S7 a blocked call", () => {
  it("does not run, has a result and one `tool_blocked`, and the others run", async () => {
    const stage = hooked(both, [nope]);
    expect(await stage.go()).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(stage.effects).toEqual(["other b"]);
    expect(stage.toldOf("tool_blocked")).toMatchObject([
      { name: "act", id: expect.stringMatching(/./), reason: expect.stringContaining("nope") },
    ]);
    expect(stage.toldOf("tool_started").map(({ name }) => name)).toEqual(["other"]);
    const results = JSON.parse(stage.toldOf("result")[0]?.content ?? "");
    expect(results).toMatchObject([
      { tool: "act", status: "failure" },
      { tool: "other", status: "success" },
    ]);
  });
});

describe("S8 stop on a block", () => {
  it("skips the calls after it, each with a result, and the run goes on", async () => {
    const stage = hooked(both, [nope], { execution: { stopOnToolBlock: true } });
    expect(await stage.go()).toMatchObject({ status: "completed", toolErrors: 2 });
    expect(stage.effects).toEqual([]);
    expect(JSON.parse(stage.toldOf("result")[0]?.content ?? "")).toHaveLength(2);
  });
});

describe("S9 what a hook changes survives the batch", () => {
  it("keeps each patch, and the stop of the second call ends the run", async () => {
    let calls = 0;
    const counting: AgentHook = {
      name: "counting",
      afterToolUse: () => ({
        patch: ({ n = 0 }) => ({ n: Number(n) + 1 }),
        ...(++calls === 2 && { stop: { reason: "user_requested", message: "Enough.", context: {} } }),
      }),
    };
    const stage = hooked(both, [counting]);
    expect(await stage.go()).toMatchObject({
      status: "stopped",
      stop: { reason: "user_requested" },
      metadata: { n: 2 },
      steps: 1,
    });
    expect(stage.provider.requests).toHaveLength(1);
  });

  it("keeps it where the batch fails, too", async () => {
    const counting = at("beforeToolUse", () => ({ patch: { tried: true } }));
    const stage = hooked([block(["broken", {}])], [counting], {
      tools: [broken],
      execution: { throwOnToolFailure: true },
    });
    expect(await stage.go()).toMatchObject({ status: "failed", metadata: { tried: true } });
  });
});

describe("S10 rewritten arguments and redacted results", () => {
  it("runs the rewritten call, and nobody sees the result that was replaced", async () => {
    const redacting: AgentHook = {
      name: "redacting",
      beforeToolUse: () => ({ call: { args: { what: "99" } } }),
      afterToolUse: () => ({ replace: { value: "redacted" } }),
      afterStep: ({ executions: [first] }) => first && { patch: { seen: String(first.value) } },
    };
    const stage = hooked(callThenAnswer, [redacting]);
    expect((await stage.go()).metadata).toEqual({ seen: "redacted" });
    expect(stage.effects).toEqual(["act 99"]);
    const everything = JSON.stringify([stage.told, await stage.log(), stage.provider.requests]);
    expect(everything).toContain("redacted");
    expect(everything).not.toContain("did 99");
  });
});

describe("S13 a failure that ends the run", () => {
  it("is told to `onError`, and the step is stored with a result of each call", async () => {
    const trace: string[] = [];
    const steps = [block(["broken", {}], ["act", { what: "a" }])];
    const stage = hooked(steps, [recording(trace)], { execution: { throwOnToolFailure: true } });
    const { status, error } = await stage.use({ name: "b", tools: [broken] }).ask("go", { conversation });
    expect({ status, code: error?.code }).toEqual({ status: "failed", code: "tool" });
    expect(trace.slice(-2)).toEqual(["onError", "afterRun"]);
    expect(stage.effects).toEqual([]);
    expect(JSON.parse(stage.toldOf("result")[0]?.content ?? "")).toHaveLength(2);
  });
});

describe("S15 a model that is down", () => {
  it("is told to `onError`, then to `afterRun`; the failure is thrown to whoever iterates", async () => {
    const trace: string[] = [];
    const stage = hooked([{ error: new Error("llm down") }], [recording(trace)]);
    expect(await stage.go()).toMatchObject({ status: "failed", error: { message: "llm down" } });
    expect(trace).toEqual(["beforeRun", "beforeStep", "beforeRequest", "onError", "afterRun"]);
    expect(stage.toldOf("run_ended")).toHaveLength(1);
  });
});

describe("S16 the steps are used up", () => {
  it("asks no hook to begin another step, and tells `onStop` why", async () => {
    const trace: string[] = [];
    const turning = [block(["act", { what: "a" }]), block(["act", { what: "b" }])];
    const stage = hooked(turning, [recording(trace)], { budget: { steps: 2 } });
    expect(await stage.go()).toMatchObject({ status: "stopped", stop: { reason: "steps_limit" } });
    expect(trace.filter((point) => point === "beforeStep")).toHaveLength(2);
    expect(trace.slice(-2)).toEqual(["onStop", "afterRun"]);
  });
});

describe("S18 the priority of signals", () => {
  it("reports the stronger one of `afterStep` and `onStop`", async () => {
    const stage = hooked(
      ["Hello.<end>"],
      [
        at("afterStep", () => ({ stop: { reason: "completed" } })),
        at("onStop", () => ({ stop: { reason: "user_requested", message: "Stop." } })),
      ],
    );
    const stop = { reason: "user_requested", message: "Stop." };
    expect(await stage.go()).toMatchObject({ status: "stopped", stop });
    expect(stage.toldOf("run_ended")).toMatchObject([{ status: "stopped", stop }]);
  });

  it("keeps the first of equal reasons", async () => {
    const saying = (name: string): AgentHook => ({ name, afterStep: () => ({ stop: { reason: "stop_requested" } }) });
    expect((await hooked(["Hello.<end>"], [saying("one"), saying("two")]).go()).stop?.source).toBe("one");
  });
});

describe("S19 continuation", () => {
  it("takes exactly one more step for one request", async () => {
    let asked = false;
    const once = at("afterStep", () => {
      if (asked) return undefined;
      asked = true;
      return { continue: "Look again." };
    });
    expect(await hooked(["First.<end>", "Second.<end>"], [once]).go()).toMatchObject({ status: "completed", steps: 2 });
  });

  it("overrides a soft signal of the same step", async () => {
    const stopping = at("afterStep", ({ text }: { text: string }) =>
      text === "First." ? { stop: { reason: "stop_requested" }, continue: "Not yet." } : undefined,
    );
    expect(await hooked(["First.<end>", "Second.<end>"], [stopping]).go()).toMatchObject({ text: "Second.", steps: 2 });
  });

  it("ends at the cap, and never runs on", async () => {
    const always = at("onStop", () => ({ continue: "Again." }));
    const stage = hooked(
      Array.from({ length: 4 }, () => "Answer.<end>"),
      [always],
    );
    expect(await stage.go()).toMatchObject({ status: "stopped", steps: 4, stop: { reason: "retry_limit" } });
  });
});

describe("S20 cancellation", () => {
  it("before the start calls `afterRun` alone", async () => {
    const trace: string[] = [];
    const stage = hooked(callThenAnswer, [recording(trace)]);
    expect(await stage.go({ signal: AbortSignal.abort() })).toMatchObject({ status: "stopped", steps: 0 });
    expect(stage.provider.requests).toEqual([]);
    expect(trace).toEqual(["afterRun"]);
  });

  it("while a tool runs aborts the tool, and no watcher of the step is called", async () => {
    const trace: string[] = [];
    const controller = new AbortController();
    const stage = hooked([block(["endless", {}])], [recording(trace)], { tools: [endless] });
    stage.on("tool_started", () => controller.abort());
    expect(await stage.go({ signal: controller.signal })).toMatchObject({
      status: "stopped",
      stop: { reason: "user_requested" },
    });
    expect(trace).toEqual(["beforeRun", ...step, "beforeToolUse", "afterRun"]);
  });
});

describe("S23 the model of a request", () => {
  it("is that of the last hook that chose one, and metadata of both inference hooks is in the result", async () => {
    const hook: AgentHook = {
      name: "h",
      beforeStep: () => ({ request: { model: "step-model" } }),
      beforeRequest: () => ({ request: { model: "hook-model" }, patch: { before: 1 } }),
      afterResponse: () => ({ patch: { after: 1 } }),
    };
    const stage = hooked(["Hello.<end>"], [hook], { request: { model: "agent-model" } });
    expect((await stage.go()).metadata).toEqual({ before: 1, after: 1 });
    expect(stage.provider.requests).toMatchObject([{ model: "hook-model" }]);
    expect(stage.toldOf("request_started")).toMatchObject([{ model: "hook-model" }]);
  });
});

describe("S26 a driver that asks again", () => {
  it("calls the hooks of each request of `reactDriver`, and of its response once", async () => {
    const trace: string[] = [];
    const decision = JSON.stringify({ type: "final_answer", thought: "easy", answer: "5" });
    const provider = scripted(["no decision at all", decision]);
    const stage = hooked([], [recording(trace)], { provider, driver: reactDriver() });
    await stage.go();
    const requests = trace.filter((point) => point === "beforeRequest").length;
    expect(requests).toBe(provider.requests.length);
    expect(requests).toBe(2);
    expect(trace.filter((point) => point === "afterResponse")).toHaveLength(1);
  });

  it("may be stopped before it asks again; what the first answer used counts", async () => {
    let requests = 0;
    const stopping = at("beforeRequest", () => (++requests === 2 ? { stop: { reason: "stop_requested" } } : undefined));
    const provider = scripted(["no decision at all"]);
    const stage = hooked([], [stopping], { provider, driver: reactDriver() });
    const { status, usage } = await stage.go();
    expect(status).toBe("stopped");
    expect(usage.output).toBeGreaterThan(0);
  });
});
