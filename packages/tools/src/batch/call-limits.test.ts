import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf, freeTool, never, parallel } from "../../test/support/fixtures.ts";

describe("a call that takes too long", () => {
  it("fails with the name of the tool and the limit, and its signal is aborted", async () => {
    const reasons: unknown[] = [];
    const tool = freeTool(
      "slow",
      (_, { signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        return delay(60_000, null, { signal });
      },
      { timeout: 5 },
    );
    const executions = await executorOf([tool, echo]).run(
      [
        { name: "slow", args: {} },
        { name: "echo", args: {} },
      ],
      batchContext(),
      parallel,
    );
    expect(executions).toMatchObject([
      {
        outcome: "failure",
        started: true,
        settled: true,
        error: { code: "timeout", tool: "slow", timeout: 5, message: "slow timed out after 5 ms." },
      },
      { outcome: "success" },
    ]);
    expect(reasons).toMatchObject([{ code: "timeout" }]);
  });

  it("may have completed when it does not stop", async () => {
    const [execution] = await executorOf([freeTool("deaf", never)], { timeout: 5 }).run(
      [{ name: "deaf", args: {} }],
      batchContext(),
      parallel,
    );
    expect(execution).toMatchObject({
      outcome: "failure",
      settled: false,
      error: { message: expect.stringContaining("it may have completed") },
    });
  });

  it("fails when its arguments cannot be checked in time", async () => {
    const tool = { ...echo, validate: never };
    const executions = await executorOf([tool], { timeout: 5 }).run(
      [{ name: "echo", args: {} }],
      batchContext(),
      parallel,
    );
    expect(executions).toMatchObject([
      { outcome: "failure", started: false, settled: true, error: { code: "timeout" } },
    ]);
  });

  it("has no limit if its timeout is longer than timers support", async () => {
    const tool = freeTool("patient", () => delay(5, "done"), { timeout: Number.POSITIVE_INFINITY });
    const month = freeTool("month", () => delay(5, "done"), { timeout: 2 ** 31 });
    const executions = await executorOf([tool, month]).run(
      [
        { name: "patient", args: {} },
        { name: "month", args: {} },
      ],
      batchContext(),
      parallel,
    );
    expect(executions.map(({ value }) => value)).toEqual(["done", "done"]);
  });
});
