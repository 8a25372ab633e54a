import { ProviderError } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool, StopRun } from "@cogency/tools";
import type { StopReason } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import type { AgentHook, AgentOptions, RunResult } from "../../src/index.ts";
import { broken, conversation } from "../support/fixtures.ts";
import { at, callThenAnswer, hooked } from "./stage.ts";

/** A hook that asks for another step where the run would end, so many times. */
function goingOn(times: number, point: "afterStep" | "onStop" = "afterStep"): AgentHook {
  let left = times;
  return {
    name: "going on",
    [point]: ({ outcome = "answered" }: { outcome?: string }) =>
      outcome === "answered" && left-- > 0 ? { continue: `Once more, ${left} left.` } : undefined,
  };
}

describe("a hook after a step", () => {
  it("sees what the step came to", async () => {
    const seen: unknown[] = [];
    const hook: AgentHook = {
      name: "h",
      afterStep({ outcome, text, executions, usage, state }) {
        const ran = executions.map(({ call, outcome, value }) => [call.name, outcome, value]);
        seen.push([outcome, text, ran, usage.output > 0, state.step, state.usage.output >= usage.output]);
        return undefined;
      },
    };
    await hooked(["<execute>[]</execute>", ...callThenAnswer], [hook]).go();
    expect(seen).toEqual([
      ["unusable", "", [], true, 1, true],
      ["acted", "", [["act", "success", "did a"]], true, 2, true],
      ["answered", "Done.", [], true, 3, true],
    ]);
  });

  it("stops the run after the calls, whose results are stored", async () => {
    const stage = hooked(callThenAnswer, [
      at("afterStep", () => ({ stop: { reason: "user_requested", message: "Tea." } })),
    ]);
    expect(await stage.go()).toMatchObject({
      status: "stopped",
      steps: 1,
      stop: { reason: "user_requested", message: "Tea." },
    });
    expect(stage.effects).toEqual(["act a"]);
    expect((await stage.log()).map(({ type }) => type)).toContain("result");
  });
});

describe("a request to go on", () => {
  it.each(["afterStep", "onStop"] as const)("at %s gets another step, and the model reads why", async (point) => {
    const stage = hooked(["First.<end>", "Second.<end>"], [goingOn(1, point)]);
    expect(await stage.go()).toMatchObject({ status: "completed", text: "Second.", steps: 2 });
    expect(JSON.stringify(stage.provider.requests[1]?.messages)).toContain("Once more, 0 left.");
    const asked = { type: "user", content: "Once more, 0 left.", origin: "notice" };
    const log = await stage.log();
    const at = log.findIndex(({ type }, index) => type === "user" && index > 1);
    expect(log[at]).toMatchObject(asked);
    expect(log[at - 1]).toMatchObject({ kind: "usage" });
    expect(stage.toldOf("user")).toMatchObject([{ content: "go" }, asked]);
    expect(stage.toldOf("notified")).toMatchObject([{ content: asked.content }]);
    expect(stage.toldOf("continuation_evaluated").map(({ goesOn }) => goesOn)).toEqual([true, false]);
  });

  it("counts alike at both points", async () => {
    const stage = hooked(["First.<end>", "Second.<end>"], [goingOn(1), goingOn(1, "onStop")], {
      budget: { continuations: 1 },
    });
    // The first answer is followed by one step; the other hook then asks for one too many.
    expect(await stage.go()).toMatchObject({ status: "stopped", stop: { reason: "retry_limit" }, steps: 2 });
  });

  it.each([undefined, 1, 5])("is granted at most `budget.continuations` times (%s)", async (continuations) => {
    const limit = continuations ?? 3;
    const answers = Array.from({ length: limit + 1 }, (_, index) => `Answer ${index}.<end>`);
    const stage = hooked(answers, [at("afterStep", () => ({ continue: "Again." }))], { budget: { continuations } });
    expect(await stage.go()).toMatchObject({
      status: "stopped",
      text: `Answer ${limit}.`,
      steps: limit + 1,
      stop: { reason: "retry_limit", context: { continuations: limit } },
    });
    stage.provider.assertDone();
  });

  it("does not count where the run goes on anyway", async () => {
    const always = at("afterStep", ({ outcome }: { outcome: string }) =>
      outcome === "acted" ? { continue: "On." } : undefined,
    );
    const stage = hooked([callThenAnswer[0] as string, ...callThenAnswer], [always], { budget: { continuations: 1 } });
    expect(await stage.go()).toMatchObject({ status: "completed", steps: 3 });
    expect((await stage.log()).filter(({ type }) => type === "user")).toHaveLength(1);
  });

  const soft: StopReason[] = ["completed", "finish_reason", "stop_requested", "unknown"];
  const hard: StopReason[] = ["error", "user_requested", "steps_limit", "token_limit", "time_limit", "retry_limit"];
  const stopping = (reason: StopReason): Partial<AgentOptions> => ({
    tools: [
      defineTool({
        name: "act",
        description: "Stops.",
        input: { type: "object" },
        execute: () => {
          throw new StopRun({ reason });
        },
      }),
    ],
  });
  const insisting = at("onStop", () => ({ continue: "But I want to." }));

  it.each(soft)("is granted against the reason %s of a tool", async (reason) => {
    const once = goingOn(1, "onStop");
    const stage = hooked(['<execute>[{"name":"act","args":{}}]</execute>', "Done.<end>"], [once], stopping(reason));
    expect(await stage.go()).toMatchObject({ status: "completed", text: "Done.", steps: 2 });
  });

  it.each(hard)("is refused against the reason %s of a tool", async (reason) => {
    const stage = hooked(['<execute>[{"name":"act","args":{}}]</execute>'], [insisting], stopping(reason));
    expect(await stage.go()).toMatchObject({ status: "stopped", steps: 1, stop: { reason } });
  });

  it("is refused where the steps are used up: the answer stands", async () => {
    const stage = hooked(["First.<end>"], [insisting], { budget: { steps: 1 } });
    expect(await stage.go()).toMatchObject({ status: "completed", text: "First.", steps: 1 });
  });

  it.each(["beforeRun", "beforeStep", "beforeRequest", "afterResponse"] as const)(
    "is refused against a guard, %s",
    async (point) => {
      const stage = hooked(["First.<end>"], [at(point, () => ({ stop: { reason: "stop_requested" } })), insisting]);
      expect(await stage.go()).toMatchObject({
        status: "stopped",
        stop: { reason: "stop_requested", source: `at ${point}` },
      });
    },
  );

  it("is granted after an answer that was cut off", async () => {
    const stage = hooked([{ chunks: "First", finish: "length" }, " and second.<end>"], [goingOn(1)]);
    expect(await stage.go()).toMatchObject({ status: "completed", text: "and second.", steps: 2 });
  });
});

describe("a hook at the stop", () => {
  it("sees why the run ends, before that is stored, and once", async () => {
    const seen: unknown[] = [];
    const hook: AgentHook = {
      name: "h",
      onStop({ status, stop, text, state }) {
        seen.push([
          status,
          stop?.reason,
          text,
          state.events.some((event) => event.type === "record" && event.kind === "run"),
        ]);
        return undefined;
      },
    };
    await hooked(callThenAnswer, [hook]).go();
    await hooked(callThenAnswer, [hook], { budget: { steps: 1 } }).go();
    await hooked(callThenAnswer, [hook, at("beforeStep", () => ({ stop: { reason: "completed" } }))]).go();
    expect(seen).toEqual([
      ["completed", undefined, "Done.", false],
      ["stopped", "steps_limit", "", false],
      ["completed", "completed", "", false],
    ]);
  });

  it("may give a stronger reason, which the result, the log and the timeline have", async () => {
    const hook = at("onStop", () => ({ stop: { reason: "error", message: "The answer is wrong." } }));
    const stage = hooked(["Hello.<end>"], [hook]);
    const stop = { reason: "error", message: "The answer is wrong.", source: "at onStop" };
    expect(await stage.go()).toMatchObject({ status: "stopped", stop });
    expect((await stage.log()).at(-1)).toMatchObject({ kind: "run", data: { status: "stopped", stop } });
    expect(stage.toldOf("run_ended")).toMatchObject([{ status: "stopped", stop }]);
  });

  it("is not called for a run that fails or is aborted", async () => {
    const seen: string[] = [];
    const hook = at("onStop", () => void seen.push("stop"));
    await hooked([{ error: new ProviderError("connection", "no line") }], [hook]).go();
    await hooked(callThenAnswer, [hook]).go({ signal: AbortSignal.abort() });
    expect(seen).toEqual([]);
  });
});

describe("a hook at an error", () => {
  it("gets the error of the result, once, and before `afterRun`", async () => {
    const seen: unknown[] = [];
    const hook: AgentHook = {
      name: "h",
      onError: ({ error }) => void seen.push(error) as undefined,
      afterRun: ({ result }) => void seen.push(result.status, result.error) as undefined,
    };
    const { error } = await hooked([{ error: new ProviderError("connection", "no line") }], [hook]).go();
    expect(error).toMatchObject({ code: "provider", message: "no line" });
    expect(seen).toEqual([error, "failed", error]);
  });

  it("is not called for a call that fails, which the model reads", async () => {
    const seen: string[] = [];
    const hook = at("onError", () => void seen.push("error"));
    const steps = ['<execute>[{"name":"broken","args":{}}]</execute>', "It is broken.<end>"];
    await hooked(steps, [hook], { tools: [broken] }).go();
    expect(seen).toEqual([]);
    await hooked(steps, [hook], { tools: [broken], execution: { throwOnToolFailure: true } }).go();
    expect(seen).toEqual(["error"]);
  });
});

describe("a hook after the run", () => {
  const results: RunResult[] = [];
  const hook: AgentHook = { name: "h", afterRun: ({ result }) => void results.push(result) as undefined };
  const last = () => results.at(-1);

  it("gets the result of a run that is complete, stopped or cancelled", async () => {
    const result = await hooked(callThenAnswer, [hook]).go();
    expect(last()).toEqual(result);
    await hooked(callThenAnswer, [hook], { budget: { steps: 1 } }).go();
    expect(last()).toMatchObject({ status: "stopped", stop: { reason: "steps_limit" } });
    await hooked(callThenAnswer, [hook]).go({ signal: AbortSignal.abort() });
    expect(last()).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });

  it("gets that of a run whose consumer left", async () => {
    const stage = hooked(callThenAnswer, [hook]);
    for await (const event of stage.run("go", { conversation })) if (event.type === "call") break;
    expect(last()).toMatchObject({ status: "stopped", stop: { reason: "user_requested" }, steps: 1 });
  });

  it("cannot change it", async () => {
    const changing = at("afterRun", ({ result }: { result: { text: string } }) => {
      result.text = "Mine.";
    });
    const stage = hooked(callThenAnswer, [changing]);
    expect((await stage.go()).text).toBe("Done.");
    expect(stage.toldOf("hook_violation")).toHaveLength(1);
  });

  it("is called while the run holds its conversation", async () => {
    const seen: (string | undefined)[] = [];
    const store = memoryStore();
    const other = hooked([], [], { store });
    const afterRun = async () => void seen.push((await other.go()).error?.code) as undefined;
    await hooked(["Hello.<end>"], [{ name: "h", afterRun }], { store }).go();
    expect(seen).toEqual(["busy"]);
  });
});
