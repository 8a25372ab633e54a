import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf, freeTool, never, parallel, sequential } from "../../test/support/fixtures.ts";
import type { ToolEvent } from "../observer.ts";

describe("a batch", () => {
  it("runs the added calls once", async () => {
    let runs = 0;
    const batch = executorOf([freeTool("count", () => ++runs)]).open(batchContext(), parallel);
    const call = batch.add({ name: "count", args: {} });
    const [first, second] = await Promise.all([batch.run(), batch.run()]);
    expect(first).toBe(second);
    expect(first).toMatchObject([{ id: call.id, value: 1 }]);
    expect(runs).toBe(1);
    expect(() => batch.add({ name: "count", args: {} })).toThrow(expect.objectContaining({ code: "batch_closed" }));
  });

  it("runs no call after it was discarded", async () => {
    const batch = executorOf([echo]).open(batchContext(), parallel);
    batch.add({ name: "echo", args: {} });
    await batch.discard();
    expect(await batch.run()).toMatchObject([{ outcome: "cancelled", started: false }]);
  });

  it("aborts the calls that have begun, and waits for them, when it is discarded", async () => {
    const began = Promise.withResolvers<void>();
    const reasons: unknown[] = [];
    const tool = freeTool("work", async (_, { signal }) => {
      began.resolve();
      await delay(60_000, null, { signal }).finally(() => reasons.push(signal.reason));
    });
    const batch = executorOf([tool]).open(batchContext(), parallel);
    batch.add({ name: "work", args: {} });
    const running = batch.run();
    await began.promise;
    await batch.discard();
    expect(reasons).toMatchObject([{ name: "AbortError" }]);
    expect(await running).toMatchObject([{ outcome: "cancelled", settled: true }]);
  });
});

describe("a batch that is cancelled", () => {
  it("runs no call if the signal has aborted before", async () => {
    const executions = await executorOf([echo]).run(
      [{ name: "echo", args: {} }],
      batchContext({ signal: AbortSignal.abort() }),
      parallel,
    );
    expect(executions).toMatchObject([
      { outcome: "cancelled", started: false, settled: true, error: { code: "cancelled" } },
    ]);
  });

  it.each([
    ["parallel", parallel],
    ["sequential", sequential],
  ])("keeps the results so far and cancels the rest at once (%s)", async (_, mode) => {
    const user = new AbortController();
    const reasons: unknown[] = [];
    const tools = [
      echo,
      freeTool("polite", (_, { signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        setTimeout(() => user.abort(new Error("enough")), 5);
        return delay(60_000, null, { signal });
      }),
      freeTool("deaf", never),
    ];
    const calls = ["echo", "polite", "deaf", "nothing"].map((name) => ({ name, args: {} }));
    const executions = await executorOf(tools).run(calls, batchContext({ signal: user.signal }), mode);
    const began = mode.mode === "parallel";
    expect(executions).toMatchObject([
      { outcome: "success" },
      { outcome: "cancelled", started: true, settled: true, error: { message: "polite was cancelled." } },
      { outcome: "cancelled", started: began, settled: !began },
      began ? { outcome: "failure" } : { outcome: "cancelled", started: false },
    ]);
    if (began) expect(executions[2]?.error?.message).toContain("it may have completed");
    expect(reasons).toEqual([new Error("enough")]);
  });

  it("reports that a body completed while it was being stopped", async () => {
    const user = new AbortController();
    const tool = freeTool(
      "quick",
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve("written"));
          user.abort();
        }),
    );
    const [execution] = await executorOf([tool]).run(
      [{ name: "quick", args: {} }],
      batchContext({ signal: user.signal }),
      parallel,
    );
    expect(execution).toMatchObject({
      outcome: "cancelled",
      settled: true,
      error: { message: expect.stringContaining("it completed") },
    });
  });

  it("does not begin calls that wait for a resource or a slot", async () => {
    const user = new AbortController();
    const began: number[] = [];
    const tool = freeTool(
      "work",
      ({ n }, { signal }) => {
        began.push(Number(n));
        setTimeout(() => user.abort(), 5);
        return delay(60_000, null, { signal });
      },
      { resource: ({ n }) => (Number(n) < 2 ? ["a"] : []) },
    );
    const calls = [0, 1, 2, 3].map((n) => ({ name: "work", args: { n } }));
    const executions = await executorOf([tool], { concurrency: 1 }).run(
      calls,
      batchContext({ signal: user.signal }),
      parallel,
    );
    expect(executions.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
    expect(executions.filter(({ started }) => started)).toHaveLength(1);
    expect(began).toHaveLength(1);
  });

  it("ignores everything that an abandoned tool does later", async () => {
    const user = new AbortController();
    const late = Promise.withResolvers<void>();
    const events: ToolEvent[] = [];
    const tool = freeTool("deaf", async (_, { progress }) => {
      user.abort();
      await late.promise;
      progress("still here");
      throw new Error("nobody listens");
    });
    const executions = await executorOf([tool], { observer: (event) => events.push(event) }).run(
      [{ name: "deaf", args: {} }],
      batchContext({ signal: user.signal }),
      parallel,
    );
    late.resolve();
    // An unhandled rejection would fail this run.
    await delay(5);
    expect(executions).toMatchObject([{ outcome: "cancelled", settled: false }]);
    expect(events.map(({ type }) => type)).toEqual(["started", "completed"]);
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await executorOf([echo]).run(
      [
        { name: "echo", args: {} },
        { name: "echo", args: {} },
      ],
      batchContext({ signal }),
      parallel,
    );
    expect(listeners).toBe(0);
  });
});

it("a batch takes 10,000 calls, and refuses the next one with the limit", async () => {
  const batch = executorOf([echo]).open(batchContext());
  for (let n = 0; n < 10_000; n++) batch.add({ name: "nothing", args: {} });
  expect(() => batch.add({ name: "nothing", args: {} })).toThrow(
    new RangeError("A batch holds at most 10000 calls. Run the others in another batch."),
  );
  await batch.discard();
});
