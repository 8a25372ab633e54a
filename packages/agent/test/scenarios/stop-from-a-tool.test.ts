import { defineTool, StopRun } from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import { hooked } from "../hooks/stage.ts";
import { block, conversation, resultsIn } from "../support/fixtures.ts";

const usage = { input: 100, output: 50, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** A run whose model calls `act`, a tool that stops the run, and `other`. */
async function stopped(signal: StopSignal) {
  const effects: string[] = [];
  const acting = (name: string) =>
    defineTool({
      name,
      description: "Acts.",
      input: { type: "object", properties: {} },
      execute: () => void effects.push(name),
    });
  const stopper = defineTool({
    name: "stopper",
    description: "Stops.",
    input: { type: "object", properties: {} },
    execute: () => {
      throw new StopRun(signal);
    },
  });
  const stage = hooked([{ chunks: block(["first", {}], ["stopper", {}], ["third", {}]), usage }], [], {
    tools: [acting("first"), stopper, acting("third")],
    execution: { concurrency: 1 },
  });
  const ended = await stage.go();
  const [results] = await resultsIn(stage.store);
  const log = await stage.store.load({ conversation });
  return { stage, ended, effects, results, log };
}

const signal: StopSignal = { reason: "completed", message: "all done", context: { k: 1 }, source: "t" };

describe("S14 a stop from a tool", () => {
  it("ends the run with the tool's reason: no request follows, and what was used counts", async () => {
    const { stage, ended, log } = await stopped(signal);
    expect(ended).toMatchObject({ status: "completed", stop: signal, steps: 1, toolErrors: 1 });
    expect(ended.usage).toMatchObject({ input: 100, output: 50 });
    expect(stage.provider.requests).toHaveLength(1);
    expect(stage.toldOf("run_ended")).toMatchObject([
      { status: "completed", stop: { reason: "completed", message: "all done" } },
    ]);
    expect(log.at(-1)).toMatchObject({ kind: "run", data: { status: "completed", stop: signal } });
  });

  it("gives each call a result: the calls before it ran, its own says why, the calls after it are skipped", async () => {
    const { stage, effects, results } = await stopped(signal);
    expect(effects).toEqual(["first"]);
    expect(results).toMatchObject([
      { tool: "first", status: "success" },
      { tool: "stopper", status: "success", content: expect.stringContaining("all done") },
      { tool: "third", status: "failure", content: expect.stringContaining("skipped") },
    ]);
    expect(stage.toldOf("tool_started").map(({ name }) => name)).toEqual(["first", "stopper"]);
    expect(stage.toldOf("tool_ended").map(({ name }) => name)).toContain("stopper");
  });

  it.each(["stop_requested", "user_requested", "error"] as const)(
    "stops the run where its reason is `%s`",
    async (reason) => {
      const { ended } = await stopped({ reason, message: "enough", context: {} });
      expect(ended).toMatchObject({ status: "stopped", stop: { reason, message: "enough" } });
    },
  );
});
