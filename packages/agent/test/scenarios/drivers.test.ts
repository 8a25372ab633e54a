import type { RunEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { conversation, types } from "../support/fixtures.ts";
import { call, called, capabilities, said, stop } from "../support/native.ts";

const lookup = defineTool({
  name: "lookup",
  description: "Look something up.",
  input: z.object({ query: z.string() }),
  execute: () => "sunny and warm",
});

/** Plays a run, and keeps its log and everything that it told. */
async function played(steps: ScriptedStep[], prompt: string) {
  const provider = scripted(steps, { capabilities });
  const store = memoryStore();
  const told: RunEvent[] = [];
  const agent = createAgent({ provider, tools: [lookup], store, driver: nativeDriver() });
  const result = await agent.run(prompt, { conversation, on: (event) => told.push(event) }).result;
  const log = await store.load({ conversation });
  return { result, told, requests: provider.requests, log: log.filter(({ type }) => type !== "record") };
}

describe("a plain answer", () => {
  const answered = () => played([{ events: [said("Paris"), stop] }], "Capital of France?");

  it("completes the run in one step, and nothing stops it", async () => {
    const { result, log } = await answered();
    expect(result).toMatchObject({ status: "completed", text: "Paris", steps: 1, toolErrors: 0 });
    expect([result.stop, result.error]).toEqual([undefined, undefined]);
    expect(log).toMatchObject([
      { type: "user", content: "Capital of France?" },
      { type: "respond", content: "Paris" },
    ]);
  });

  it("ends the run once, and each step that has begun", async () => {
    const { told } = await answered();
    const ends = types(told).filter((type) => type.startsWith("run_") || type.startsWith("step_"));
    expect(ends).toEqual(["run_started", "step_started", "step_ended", "run_ended"]);
    expect(told.find(({ type }) => type === "step_ended")).toMatchObject({ outcome: "answered" });
  });
});

describe("a call of a tool, and then an answer", () => {
  const acted = () =>
    played(
      [{ events: [...call("lookup", { query: "weather" }, "call_abc"), called] }, { events: [said("Done."), stop] }],
      "Weather?",
    );

  it("takes two steps, and the second request shows the result beside its call", async () => {
    const { result, told, requests, log } = await acted();
    expect(result).toMatchObject({ status: "completed", text: "Done.", steps: 2, toolErrors: 0 });
    expect(told.flatMap((event) => (event.type === "step_ended" ? [event.outcome] : []))).toEqual([
      "acted",
      "answered",
    ]);
    expect(types(log)).toEqual(["user", "call", "result", "respond"]);
    const [, asked, answered] = requests[1]?.messages ?? [];
    const id = log.flatMap((event) => (event.type === "call" ? [event.id] : []))[0];
    expect(asked).toMatchObject({ role: "assistant", calls: [{ id, name: "lookup", args: { query: "weather" } }] });
    expect(answered).toMatchObject({
      role: "tool",
      results: [{ id, name: "lookup", content: "sunny and warm", failed: false }],
    });
  });

  it("is told in order: each request and each call begins and ends within its step", async () => {
    const { told } = await acted();
    const step = ["step_started", "request_started", "request_ended"];
    const activity = told.filter(({ type }) => /^(run|step|request|tool|continuation)_/.test(type));
    expect(types(activity)).toEqual([
      "run_started",
      ...[...step, "tool_started", "tool_ended", "step_ended", "continuation_evaluated"],
      ...[...step, "step_ended", "continuation_evaluated"],
      "run_ended",
    ]);
    expect(activity.map(({ run }) => run.step)).toEqual([0, ...Array(7).fill(1), ...Array(6).fill(2)]);
    expect(activity.flatMap((event) => (event.type === "continuation_evaluated" ? [event.goesOn] : []))).toEqual([
      true,
      false,
    ]);
    expect(told.at(-1)).toMatchObject({ type: "run_ended", status: "completed" });
  });

  it("is told with one run, one id of the call, and numbers that rise", async () => {
    const { told } = await acted();
    expect(new Set(told.map(({ run }) => run.id)).size).toBe(1);
    expect(told.map(({ run }) => run.order)).toEqual(told.map((_, index) => index + 1));
    const ids = told.flatMap((event) =>
      event.type === "tool_started" || event.type === "tool_ended" ? [event.id] : [],
    );
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});
