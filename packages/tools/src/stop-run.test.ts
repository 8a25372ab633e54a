import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, parallel, sequential } from "../test/support/fixtures.ts";
import type { Journal } from "./executor.ts";
import { toToolResult } from "./result/tool-result.ts";
import { isForcedStop, type StopReason, StopRun, type StopSignal, strongestStop } from "./stop-run.ts";

const given: StopSignal = { reason: "completed", message: "all done", context: { k: 1 }, source: "t" };
const stopper = freeTool("stopper", () => {
  throw new StopRun(given);
});
const other = freeTool("other", () => "ok");
const calls = ["other", "stopper", "other"].map((name) => ({ name, args: {} }));

describe("StopRun", () => {
  it("keeps its signal, succeeds, and skips the calls that have not begun", async () => {
    const ended: string[] = [];
    const executor = executorOf([stopper, other], {
      observer: (event) => void (event.type === "completed" && ended.push(event.execution.outcome)),
    });
    const batch = executor.open(batchContext(), sequential);
    for (const call of calls) batch.add(call);
    const executions = await batch.run();
    expect(executions.map(toToolResult)).toEqual([
      { tool: "other", status: "success", content: "ok" },
      { tool: "stopper", status: "success", content: "The run was stopped: all done" },
      {
        tool: "other",
        status: "failure",
        content: "other was skipped and did not run: an earlier call ended the run.",
      },
    ]);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success", "skipped"]);
    expect(ended).toEqual(["success", "success", "skipped"]);
    expect(batch.stop).toEqual(given);
    expect(executions[1]?.stop).toEqual(given);
  });

  it("lets calls that run at the same time come to their end", async () => {
    const slow = freeTool("slow", () => delay(20, "slow"));
    const batch = executorOf([stopper, slow]).open(batchContext(), parallel);
    for (const name of ["stopper", "slow"]) batch.add({ name, args: {} });
    expect(await batch.run()).toMatchObject([{ outcome: "success" }, { outcome: "success", value: "slow" }]);
  });

  it("skips calls that wait for a slot or for a resource", async () => {
    const claim = { resource: () => ["file:a"] };
    const first = freeTool(
      "first",
      () => {
        throw new StopRun({ reason: "stop_requested" });
      },
      claim,
    );
    const second = freeTool("second", () => "ran", claim);
    for (const options of [{}, { concurrency: 1 }]) {
      const executions = await executorOf([first, second, other], options).run(
        ["first", "second"].map((name) => ({ name, args: {} })),
        batchContext(),
        parallel,
      );
      expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "skipped"]);
    }
  });

  it("puts no question about calls that will not run", async () => {
    const asked: string[] = [];
    const approve = async ({ call }: { call: { name: string } }) => asked.push(call.name) > 0;
    const executor = executorOf([stopper, other], { approval: { approve } });
    const executions = await executor.run(calls, batchContext(), sequential);
    expect(asked).toEqual(["other", "stopper"]);
    const together = await executor.run(calls.slice(1), batchContext(), { ...parallel });
    expect(together.map(({ outcome }) => outcome)).toEqual(["success", "skipped"]);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success", "skipped"]);
  });

  it("skips a call that is approved while the end of the stopping call is being stored", async () => {
    const executor = executorOf([stopper, other], {
      approval: { policy: ({ name }) => (name === "other" ? "ask" : "allow"), approve: () => delay(10, true) },
    });
    const journal = { question() {}, approval: () => {}, started: () => {}, finished: () => delay(40) };
    const executions = await executor.run(calls.slice(0, 2), batchContext({ journal }), parallel);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["skipped", "success"]);
  });

  it("lets a call run whose `started` is stored, and stores no `started` of a skipped call", async () => {
    for (const concurrency of [1, 2, 3]) {
      const began: string[] = [];
      const ended: string[] = [];
      const journal: Journal = {
        question() {},
        approval: () => {},
        started: ({ id, name }) => {
          began.push(id);
          return delay(name === "other" ? 10 : 0);
        },
        finished: ({ id }) => void ended.push(id),
      };
      const executor = executorOf([stopper, other], { concurrency });
      const executions = await executor.run([...calls, ...calls], batchContext({ journal }), parallel);
      const ran = executions.filter(({ started }) => started).map(({ id }) => id);
      expect([began.toSorted(), ended.toSorted()]).toEqual([ran.toSorted(), ran.toSorted()]);
      expect(executions.filter(({ started }) => !started).map(({ outcome }) => outcome)).toEqual(
        Array.from({ length: 6 - ran.length }, () => "skipped"),
      );
      expect(ran.length).toBeLessThan(6);
    }
  });

  it("of a call that began early skips the calls that have not begun by then", async () => {
    const eager = freeTool("eager", () => Promise.reject(new StopRun(given)), { annotations: { readOnlyHint: true } });
    const journal = { question() {}, approval: () => {}, started: () => delay(5), finished: () => delay(5) };
    const batch = executorOf([eager, other], { earlyStart: true }).open(batchContext({ journal }), parallel);
    for (const name of ["eager", "other"]) batch.add({ name, args: {} });
    await delay(5);
    expect((await batch.run()).map(({ outcome }) => outcome)).toEqual(["success", "skipped"]);
    expect(batch.stop).toEqual(given);
  });

  it("of a call that began early is ignored if its block is void", async () => {
    const eager = freeTool("eager", () => Promise.reject(new StopRun(given)), { annotations: { readOnlyHint: true } });
    const batch = executorOf([eager], { earlyStart: true }).open(batchContext(), parallel);
    batch.add({ name: "eager", args: {} });
    await delay(5);
    await batch.discard();
    expect(batch.stop).toBeUndefined();
  });

  const cyclic = Object.assign(new Error("cycle"), { cause: undefined as unknown });
  cyclic.cause = new Error("inner", { cause: Object.assign(new StopRun(given), { cause: cyclic }) });
  it.each<[string, unknown]>([
    ["as its cause", new Error("wrapped", { cause: new StopRun(given) })],
    ["as the cause of its cause", new Error("a", { cause: new Error("b", { cause: new StopRun(given) }) })],
    ["a hundred causes deep", nested(100)],
    ["among several", new AggregateError([new Error("a"), new StopRun(given)])],
    [
      "among those of a cause",
      new Error("a", { cause: new AggregateError([new AggregateError([new StopRun(given)])]) }),
    ],
    ["in a cycle", cyclic],
    ["as the cause of what is no error", { cause: new StopRun(given) }],
    ["as what was suppressed", Object.assign(new Error("dispose"), { suppressed: new StopRun(given) })],
  ])("ends the run also as a cause of another error: %s", async (_, error) => {
    const wrapped = freeTool("wrapped", () => Promise.reject(error));
    const batch = executorOf([wrapped, other]).open(batchContext(), sequential);
    for (const name of ["wrapped", "other"]) batch.add({ name, args: {} });
    expect((await batch.run()).map(({ outcome }) => outcome)).toEqual(["success", "skipped"]);
    expect(batch.stop).toEqual(given);
  });

  it("counts if it is the strongest of several in the causes of one error", async () => {
    const both = new AggregateError([new StopRun({ reason: "completed" }), new StopRun({ reason: "error" })]);
    const batch = executorOf([freeTool("both", () => Promise.reject(both))]).open(batchContext(), sequential);
    batch.add({ name: "both", args: {} });
    await batch.run();
    expect(batch.stop?.reason).toBe("error");
  });

  it("is searched for only so deep, and not in causes that cannot be read", async () => {
    const unreadable = {
      get cause() {
        throw new Error("trap");
      },
    };
    for (const error of [endlessCause(), unreadable]) {
      const [execution] = await executorOf([freeTool("odd", () => Promise.reject(error))]).run(
        [{ name: "odd", args: {} }],
        batchContext(),
      );
      expect(execution).toMatchObject({ outcome: "failure", error: { code: "threw" } });
    }
  });

  it("needs no more than a reason", () => {
    const { signal, message } = new StopRun({ reason: "user_requested" });
    expect(signal).toEqual({ reason: "user_requested", message: "", context: {} });
    expect(message).toBe("user_requested");
  });
});

function nested(depth: number): Error {
  return depth === 0 ? new StopRun(given) : new Error(`level ${depth}`, { cause: nested(depth - 1) });
}

/** A new one each time it is read. */
function endlessCause(): object {
  return {
    get cause() {
      return endlessCause();
    },
  };
}

const byStrength: StopReason[] = [
  "error",
  "stop_requested",
  "user_requested",
  "steps_limit",
  "token_limit",
  "time_limit",
  "retry_limit",
  "finish_reason",
  "completed",
  "unknown",
];
const signal = (reason: StopReason, message = ""): StopSignal => ({ reason, message, context: {} });

describe("stop signals", () => {
  it.each(byStrength.flatMap((strong, rank) => byStrength.slice(rank + 1).map((weak) => [strong, weak] as const)))(
    "%s is stronger than %s, in any order",
    (strong, weak) => {
      expect(strongestStop([signal(strong), signal(weak)])?.reason).toBe(strong);
      expect(strongestStop([signal(weak), signal(strong)])?.reason).toBe(strong);
    },
  );

  it("the earliest of equal signals counts, and there is none in an empty list", () => {
    expect(strongestStop([signal("completed", "a"), signal("completed", "b")])?.message).toBe("a");
    expect(strongestStop([])).toBeUndefined();
  });

  it("are forced unless the run was completed", () => {
    expect(byStrength.filter((reason) => !isForcedStop(signal(reason)))).toEqual(["finish_reason", "completed"]);
  });
});
