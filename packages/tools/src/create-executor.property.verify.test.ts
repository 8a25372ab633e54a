import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { batchContext, freeTool, parallel, sequential } from "../test/support/fixtures.ts";
import { createExecutor } from "./create-executor.ts";
import { isToolError } from "./errors.ts";
import { createRegistry } from "./registry.ts";
import { StopRun } from "./stop-run.ts";

interface Plan {
  name: string;
  keys: string[];
  milliseconds: number;
  ending: "value" | "throw" | "reject" | "deaf" | "stop";
}

const plan: fc.Arbitrary<Plan> = fc.record({
  name: fc.constantFrom("read", "read", "write", "unknown", "denied", "blocked"),
  keys: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
  milliseconds: fc.nat({ max: 4 }),
  ending: fc.oneof(
    { weight: 6, arbitrary: fc.constant("value" as const) },
    fc.constantFrom("throw" as const, "reject" as const, "deaf" as const, "stop" as const),
  ),
});
const plans = fc.array(plan, { maxLength: 12 });
const options = fc.record({
  concurrency: fc.constantFrom(1, 2, 3, Number.POSITIVE_INFINITY),
  mode: fc.constantFrom(parallel, sequential),
  abortAfter: fc.option(fc.nat({ max: 8 })),
  flags: fc.constantFrom({}, { earlyStart: true }, { throwOnToolFailure: true }, { stopOnToolBlock: true }),
  /** Milliseconds between the announcements of two calls. */
  pace: fc.constantFrom(0, 0, 1),
});

/** Runs planned calls and writes down when each body began and ended. */
async function carryOut(
  plans: readonly Plan[],
  { concurrency, mode, abortAfter, flags, pace }: typeof options extends fc.Arbitrary<infer T> ? T : never,
) {
  const spans: { index: number; plan: Plan; began: number; ended: number }[] = [];
  let clock = 0;
  const body = async (index: number, signal: AbortSignal) => {
    const plan = plans[index];
    if (!plan) throw new Error("no such plan");
    const span = { index, plan, began: clock++, ended: Number.POSITIVE_INFINITY };
    spans.push(span);
    signal.addEventListener("abort", () => {
      span.ended = Math.min(span.ended, clock++);
    });
    if (plan.ending === "deaf") return new Promise<never>(() => {});
    await delay(plan.milliseconds);
    span.ended = Math.min(span.ended, clock++);
    if (plan.ending === "value") return index;
    if (plan.ending === "stop") throw new StopRun({ reason: "completed" });
    throw new Error(plan.ending);
  };
  const tool = (name: string, readOnlyHint: boolean) =>
    freeTool(name, ({ index }, { signal }) => body(Number(index), signal), {
      resource: ({ index }) => plans[Number(index)]?.keys ?? [],
      annotations: { readOnlyHint },
    });
  const executor = createExecutor({
    registry: createRegistry([tool("read", true), tool("write", false), tool("denied", false), tool("blocked", true)]),
    ...flags,
    concurrency,
    timeout: 30,
    hooks: [{ name: "guard", beforeToolUse: ({ call }) => (call.name === "blocked" ? { block: "no" } : undefined) }],
    approval: { policy: ({ name }) => (name === "denied" ? "deny" : "allow") },
  });
  const user = new AbortController();
  const timer = abortAfter === null ? undefined : setTimeout(() => user.abort(), abortAfter);
  const calls = plans.map(({ name }, index) => ({ name, args: { index }, id: `call_${index}` }));
  const batch = executor.open(batchContext({ signal: user.signal }), mode);
  for (const call of calls) {
    batch.add(call);
    if (pace > 0) await delay(pace);
  }
  const executions = await batch.run().catch((error: unknown) => {
    if (isToolError(error, "tool_failed")) return error.executions;
    throw error;
  });
  clearTimeout(timer);
  return { executions, spans };
}

it("gives N executions for N calls, in call order, over random delays, failures, refusals, stops, aborts and early starts", async () => {
  await fc.assert(
    fc.asyncProperty(plans, options, async (plans, options) => {
      const { executions, spans } = await carryOut(plans, options);
      expect(executions.map(({ id }) => id)).toEqual(plans.map((_, index) => `call_${index}`));
      expect(executions.filter(({ started }) => started)).toHaveLength(spans.length);
      for (const [index, { outcome, value, error, settled, started }] of executions.entries()) {
        const plan = plans[index];
        if (outcome === "success" && plan?.ending === "stop") expect(value).toBe("The run was stopped");
        else if (outcome === "success") expect([plan?.ending, value]).toEqual(["value", index]);
        else expect(error).toBeInstanceOf(Error);
        if (!settled) expect([plan?.ending, started]).toEqual(["deaf", true]);
        if (plan?.name === "unknown" || plan?.name === "denied" || plan?.name === "blocked")
          expect(started).toBe(false);
        if (options.abortAfter !== null) continue;
        expect(outcome).not.toBe("cancelled");
        if (outcome === "skipped") continue;
        if (plan?.name === "denied" || plan?.name === "blocked") expect(outcome).toBe(plan.name);
      }
    }),
    { numRuns: 100 },
  );
});

it("never lets calls of one key overlap unless both only read, and begins them in call order", async () => {
  await fc.assert(
    fc.asyncProperty(plans, options, async (plans, options) => {
      const { spans } = await carryOut(plans, options);
      for (const one of spans) {
        for (const other of spans) {
          if (one.index >= other.index || !one.plan.keys.some((key) => other.plan.keys.includes(key))) continue;
          if (one.plan.name === "read" && other.plan.name === "read") continue;
          expect(one.ended).toBeLessThan(other.began);
        }
      }
    }),
    { numRuns: 100 },
  );
});
