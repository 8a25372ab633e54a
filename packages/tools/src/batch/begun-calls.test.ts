import { OUTCOME_UNKNOWN } from "@cogency/protocol/host";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { batchContext, executorOf, never } from "../../test/support/fixtures.ts";
import type { BegunCall, ToolEvent, VerifyContext } from "../host.ts";
import {
  type BatchContext,
  type CallOutcome,
  defineTool,
  type ExecutorOptions,
  isToolError,
  type ToolAnnotations,
  type ToolExecution,
  type ToolHook,
  toToolResult,
} from "../index.ts";

type Verify = (args: { amount: number }, context: VerifyContext) => CallOutcome | Promise<CallOutcome>;

interface Host {
  verify?: Verify | undefined;
  annotations?: ToolAnnotations;
  timeout?: number;
  context?: Partial<BatchContext>;
  options?: Omit<ExecutorOptions, "registry">;
}

/** A host with the tool `pay`, what it paid, and what its journal and its observer got. */
function host({ verify, annotations = {}, timeout, context, options }: Host = {}) {
  const paid: number[] = [];
  const written: string[] = [];
  const heard: ToolEvent[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pay.",
    input: { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] },
    annotations,
    timeout,
    execute({ amount }) {
      paid.push(amount);
      return `paid ${amount}`;
    },
    verify,
  });
  const surroundings = batchContext({
    observer: (event) => heard.push(event),
    journal: {
      question() {},
      approval() {},
      started: ({ id }) => void written.push(`started ${id}`),
      notDone: ({ id }) => void written.push(`not_done ${id}`),
      finished: ({ id, value }) => void written.push(`finished ${id}: ${value}`),
    },
    ...context,
  });
  const executor = executorOf([pay], options);
  /** Runs one call that had begun. */
  const settle = async (begun: BegunCall = {}, args: object = { amount: 5 }) => {
    const batch = executor.open(surroundings);
    batch.add({ id: "a", name: "pay", args: args as { amount: number } }, begun);
    const [execution] = await batch.run();
    if (!execution) throw new Error("The batch gave no execution.");
    return execution;
  };
  return { paid, written, heard, executor, surroundings, settle };
}

describe("a call that had begun before a restart", () => {
  it("has the value of `verify` as its result if it took effect, and does not run", async () => {
    const asked: unknown[] = [];
    const { paid, written, heard, settle } = host({
      verify(args, { call, conversation, user, signal }) {
        asked.push([args, call, conversation, user, signal.aborted]);
        return { outcome: "done", value: "receipt 7" };
      },
    });
    const execution = await settle();
    expect(asked).toEqual([[{ amount: 5 }, { id: "a", name: "pay", args: { amount: 5 } }, "c1", "u1", false]]);
    expect(execution).toMatchObject({ outcome: "success", value: "receipt 7", settled: true, started: true });
    expect(paid).toEqual([]);
    expect(written).toEqual(["finished a: receipt 7"]);
    expect(heard.map(({ type }) => type)).toEqual(["completed"]);
  });

  it("runs if it had no effect, once that is in the journal", async () => {
    const { paid, written, settle } = host({ verify: () => ({ outcome: "not_done" }) });
    expect(await settle()).toMatchObject({ outcome: "success", value: "paid 5" });
    expect(paid).toEqual([5]);
    expect(written).toEqual(["not_done a", "started a", "finished a: paid 5"]);
  });

  const inTheDark: [string, Verify | undefined, string | undefined][] = [
    ["has no `verify`", undefined, undefined],
    ["does not know", () => ({ outcome: "unknown" }), undefined],
    [
      "throws",
      () => {
        throw new Error("the bank is closed");
      },
      "the bank is closed",
    ],
    ["rejects", () => Promise.reject(new Error("the bank is closed")), "the bank is closed"],
    ["gives no outcome", () => undefined as never, "it gave no outcome"],
    ["gives an outcome of its own", () => ({ outcome: "perhaps" }) as never, "it gave no outcome"],
    ["hangs", never, "it took longer than 5 ms"],
  ];

  it.each([Number.POSITIVE_INFINITY, 600_000])(
    "stays unknown if its tool has not answered within two minutes, also where the call may take %s ms",
    async (timeout) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      let signal: AbortSignal | undefined;
      const verify: Verify = (_, context) => {
        signal = context.signal;
        return never();
      };
      const { paid, settle } = host({ verify, timeout });
      let execution: ToolExecution | undefined;
      const settling = settle().then((ended) => {
        execution = ended;
      });
      await vi.advanceTimersByTimeAsync(119_999);
      expect([execution, signal?.aborted]).toEqual([undefined, false]);
      // It is over after one more timer, of the grace of 0 ms.
      await vi.advanceTimersByTimeAsync(2);
      await settling;
      expect(execution).toMatchObject({ outcome: "cancelled", settled: false });
      expect(toToolResult(execution as unknown as ToolExecution).content).toBe(
        `${OUTCOME_UNKNOWN} pay could not find out what became of it: it took longer than 120000 ms.`,
      );
      expect([signal?.aborted, paid]).toEqual([true, []]);
    },
  );

  it.each(inTheDark)("stays unknown if its tool %s, and does not run", async (_, verify, problem) => {
    const { paid, written, heard, settle } = host({ verify, timeout: 5 });
    const execution = await settle();
    expect(execution).toMatchObject({ outcome: "cancelled", settled: false, started: true });
    expect(isToolError(execution.error, "outcome_unknown")).toBe(true);
    const told = problem === undefined ? "" : ` pay could not find out what became of it: ${problem}.`;
    expect(toToolResult(execution)).toEqual({ tool: "pay", status: "failure", content: OUTCOME_UNKNOWN + told });
    expect([paid, written, heard]).toEqual([[], [], []]);
  });

  it.each(inTheDark)("runs again if its tool %s, but repeating it changes nothing more", async (_, verify) => {
    const { paid, settle } = host({ verify, timeout: 5, annotations: { idempotentHint: true } });
    expect(await settle()).toMatchObject({ outcome: "success" });
    expect(paid).toEqual([5]);
  });

  it.each<[CallOutcome["outcome"], object]>([
    ["done", { outcome: "success", value: 1, started: true }],
    ["not_done", { outcome: "skipped", settled: true, started: false }],
    ["unknown", { outcome: "cancelled", settled: false, started: true }],
  ])("never runs after the end of its run, also if its outcome is %s", async (outcome, expected) => {
    const verify = () => ({ outcome, value: 1 }) as CallOutcome;
    const { paid, settle } = host({ verify, annotations: { idempotentHint: true } });
    expect(await settle({ isOver: true })).toMatchObject(expected);
    expect(paid).toEqual([]);
  });

  it("is asked about as it ran, which a hook had changed", async () => {
    const { paid, settle } = host({ verify: ({ amount }) => ({ outcome: "done", value: amount }) });
    const execution = await settle({ ran: { name: "pay", args: { amount: 99 } } });
    expect(execution).toMatchObject({ value: 99, call: { id: "a", args: { amount: 99 } }, requested: { id: "a" } });
    expect(paid).toEqual([]);
  });

  it("goes through hooks and approval if it runs, and only through the hooks after it if it had run", async () => {
    const trace: string[] = [];
    const hook: ToolHook = {
      name: "trace",
      beforeToolUse: ({ call }) => void trace.push(`before ${call.id}`),
      afterToolUse({ execution }) {
        trace.push(`after ${execution.id}`);
        return { replace: { value: "hidden" } };
      },
    };
    const approval = {
      policy: () => "ask" as const,
      approve: async () => trace.push("asked") > 0,
    };
    const ran = host({ verify: () => ({ outcome: "done", value: "secret" }), options: { hooks: [hook], approval } });
    expect(await ran.settle()).toMatchObject({ value: "hidden" });
    expect(ran.written).toEqual(["finished a: hidden"]);
    expect(trace.splice(0)).toEqual(["after a"]);
    const runs = host({ verify: () => ({ outcome: "not_done" }), options: { hooks: [hook], approval } });
    expect(await runs.settle()).toMatchObject({ value: "hidden" });
    expect(trace).toEqual(["before a", "asked", "after a"]);
  });

  it("stays unknown if its tool is denied now, is gone, or refuses the arguments: then its tool is not asked", async () => {
    let asked = 0;
    const verify = () => {
      asked++;
      return { outcome: "done", value: 1 } as const;
    };
    const denied = host({ verify, options: { approval: { policy: () => "deny" } } });
    expect(isToolError((await denied.settle()).error, "outcome_unknown")).toBe(true);
    const gone = host({ verify });
    expect((await gone.settle({ ran: { name: "gone", args: {} } })).error?.message).toBe(OUTCOME_UNKNOWN);
    const unfit = host({ verify });
    expect((await unfit.settle({}, { amount: "much" })).error?.message).toContain("amount");
    expect(asked).toBe(0);
  });

  it("stays unknown if the batch is aborted while its tool looks; the signal of `verify` aborts", async () => {
    const cancelling = new AbortController();
    let seen: AbortSignal | undefined;
    const { settle } = host({
      verify(_, { signal }) {
        seen = signal;
        cancelling.abort();
        return never();
      },
      context: { signal: cancelling.signal },
    });
    const execution = await settle();
    expect(execution).toMatchObject({ outcome: "cancelled", settled: false });
    expect(execution.error?.message).toBe(OUTCOME_UNKNOWN);
    expect(seen?.aborted).toBe(true);
  });

  it("is settled before any other call of the batch begins", async () => {
    const looked = Promise.withResolvers<CallOutcome>();
    const asked = Promise.withResolvers<void>();
    const { paid, executor, surroundings } = host({
      verify() {
        asked.resolve();
        return looked.promise;
      },
    });
    const batch = executor.open(surroundings);
    batch.add({ id: "a", name: "pay", args: { amount: 1 } });
    batch.add({ id: "b", name: "pay", args: { amount: 2 } }, {});
    const running = batch.run();
    await asked.promise;
    expect(paid).toEqual([]);
    looked.resolve({ outcome: "done", value: "earlier" });
    expect((await running).map(({ value }) => value)).toEqual(["paid 1", "earlier"]);
    expect(paid).toEqual([1]);
  });

  it("fails the batch if the journal cannot keep what was found out", async () => {
    const { paid, settle } = host({
      verify: () => ({ outcome: "not_done" }),
      context: {
        journal: {
          question() {},
          approval() {},
          started() {},
          finished() {},
          notDone: () => Promise.reject(new Error("no room")),
        },
      },
    });
    await expect(settle()).rejects.toThrow("no room");
    expect(paid).toEqual([]);
  });
});
