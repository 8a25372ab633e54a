import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ActivityEvent, RunEvent } from "./activity.ts";

/** The events of a runtime that people may come from, and the types of the timeline that answer to them. */
const answersTo: Readonly<Record<string, RunEvent["type"]>> = {
  AgentExecutionStarted: "run_started",
  AgentExecutionStopped: "run_ended",
  AgentExecutionCompleted: "run_ended",
  AgentExecutionFailed: "run_ended",
  AgentStepStarted: "step_started",
  AgentStepCompleted: "step_ended",
  InferenceRequestStarted: "request_started",
  InferenceResponseReceived: "request_ended",
  TokenUsageReported: "metric",
  DecisionExtractionFailed: "extraction_failed",
  ValidationFailed: "validation_failed",
  ToolCallStarted: "tool_started",
  ToolCallCompleted: "tool_ended",
  ToolCallBlocked: "tool_blocked",
  ContinuationEvaluated: "continuation_evaluated",
  StopSignalReceived: "stop_requested",
  HookContractViolated: "hook_violation",
  SubagentSpawning: "subagent",
  SubagentCompleted: "subagent",
};

/** A table that lacks a type, or has one too many, does not compile. */
const names: Record<ActivityEvent["type"], true> = {
  run_started: true,
  run_ended: true,
  step_started: true,
  step_ended: true,
  request_started: true,
  request_ended: true,
  request_retried: true,
  setting_ignored: true,
  extraction_failed: true,
  validation_failed: true,
  tool_started: true,
  tool_progress: true,
  tool_ended: true,
  tool_blocked: true,
  args_leaked: true,
  approval_requested: true,
  approval_settled: true,
  question_asked: true,
  question_answered: true,
  question_failed: true,
  message_received: true,
  continuation_evaluated: true,
  stop_requested: true,
  hook_violation: true,
  notified: true,
  compacted: true,
  subagent: true,
};

describe("the names of the timeline", () => {
  it("are all in the specification", () => {
    const page = readFileSync(new URL("../docs/protocol.md", import.meta.url), "utf8");
    expect(Object.keys(names).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("have one for each event of that runtime", () => {
    const types = new Set([...Object.keys(names), "metric"]);
    expect(Object.values(answersTo).filter((type) => !types.has(type))).toEqual([]);
  });
});
