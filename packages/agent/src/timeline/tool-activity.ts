import { type ToolExecution, toToolResult } from "@cogency/tools";
import type { Observer, ToolEvent } from "@cogency/tools/host";
import type { Timeline } from "./timeline.ts";

/**
 * Puts what happens to the calls of a batch on the timeline.
 *
 * @param stored returns when the end of the call with this id is stored; undefined for a call that never began
 */
export function toolActivity(timeline: Timeline, stored: (id: string) => Promise<void> | undefined): Observer {
  const ended = (execution: ToolExecution) => {
    const storing = stored(execution.id);
    if (!storing) tellEnd(timeline, execution);
    // An end that could not be stored ends the run, which says so.
    else storing.then(() => tellEnd(timeline, execution)).catch(() => {});
  };
  return (event) => {
    if (event.type === "completed") ended(event.execution);
    else tellOf(timeline, event);
  };
}

function tellOf(timeline: Timeline, event: Exclude<ToolEvent, { type: "completed" }>): void {
  switch (event.type) {
    case "started": {
      const { id, name, args } = event.call;
      timeline.tellOfCall(id, () => ({ type: "tool_started", id, name, args }));
      return;
    }
    case "progress": {
      const { id, name } = event.call;
      timeline.tellOfCall(id, () => ({ type: "tool_progress", id, name, update: event.update }));
      return;
    }
    case "asked": {
      const { question, call, hash, concerns, touches } = event.request;
      const { id, name, args } = call;
      timeline.tellOfCall(id, () => ({
        type: "approval_requested",
        question,
        id,
        name,
        args,
        hash,
        concerns,
        touches,
      }));
      return;
    }
    case "answered":
      tellAnswer(timeline, event);
      return;
    case "question_asked": {
      const { id: question, message = "", schema, client } = event.question;
      const { id, name } = event.call;
      const asked = { question, id, name, message, ...(schema && { schema }), ...(client && { client }) };
      timeline.tellOfCall(id, () => ({ type: "question_asked", ...asked }));
      return;
    }
    case "question_answered": {
      const { type, question, content, by } = event;
      const { id } = event.call;
      timeline.tellOfCall(id, () => ({ type, question, id, content, ...(by !== undefined && { by }) }));
      return;
    }
    case "question_failed": {
      const { type, question, call, error } = event;
      const message = error instanceof Error ? error.message : String(error);
      timeline.tellOfCall(call.id, () => ({ type, question, id: call.id, message }));
      return;
    }
    case "hook_failed":
    case "hook_breach": {
      const { hook, message } = event.error;
      timeline.tell(() => ({ type: "hook_violation", hook, message }));
    }
  }
}

function tellAnswer(timeline: Timeline, answer: ToolEvent & { type: "answered" }): void {
  const { question, call, approved, reason, by, error } = answer;
  timeline.tellOfCall(call.id, () => ({
    type: "approval_settled",
    question,
    id: call.id,
    decision: approved ? "approved" : "denied",
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(error !== undefined && { error: error instanceof Error ? error.message : String(error) }),
  }));
}

function tellEnd(timeline: Timeline, execution: ToolExecution): void {
  const { outcome } = execution;
  // A call that waits has not ended.
  if (outcome === "waiting") return;
  const { id, call, started, error, stop, startedAt, completedAt } = execution;
  const { name, args } = call;
  if (outcome === "blocked") {
    timeline.tellOfCall(id, () => ({ type: "tool_blocked", id, name, reason: error?.message ?? "" }));
  }
  if (stop) {
    const { reason, message, source } = stop;
    timeline.tellOfCall(id, () => ({
      type: "stop_requested",
      reason,
      message,
      ...(source !== undefined && { source }),
    }));
  }
  timeline.tellOfCall(id, () => ({
    type: "tool_ended",
    id,
    name,
    args,
    started,
    outcome,
    result: toToolResult(execution),
    duration: Math.max(0, completedAt - startedAt),
  }));
}
