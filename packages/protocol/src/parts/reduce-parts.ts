import type { LogEvent, RecordEvent } from "../events.ts";
import type { Json, JsonObject } from "../json.ts";
import {
  abandonCalls,
  addCall,
  endCall,
  executeCalls,
  progressCall,
  readCall,
  removeCalls,
  settleCalls,
  startCall,
  writeCall,
} from "./calls.ts";
import { Draft } from "./draft.ts";
import type { EndPart, PartEvent, Parts } from "./part.ts";
import { ask, decide } from "./questions.ts";
import { addPiece, closeUnit } from "./units.ts";
import { fieldsOf, isObject, textOf } from "./untrusted.ts";

/**
 * The parts after one more event. Returns `parts` itself if the event shows nothing; parts that the event does not change
 * are the same objects. Copies the list of parts, and nothing that grows with their content. Never throws for values
 * that JSON can hold.
 */
export function reduceParts(parts: Parts, event: PartEvent): Parts {
  const draft = new Draft(parts);
  if (isObject(event)) readEvent(draft, event, "seq" in event);
  return draft.parts;
}

/** The parts of a log. */
export function partsOf(log: Iterable<LogEvent>): Parts {
  const draft = new Draft([]);
  for (const event of log) if (isObject(event)) readEvent(draft, event, true);
  return draft.parts;
}

/** `isStored` says that the event comes from a log: its units are whole, and its calls have taken effect. */
function readEvent(draft: Draft, event: PartEvent, isStored: boolean): void {
  switch (event.type) {
    case "user": {
      closeBlock(draft);
      abandonCalls(draft, "failure");
      const { origin } = event;
      return draft.add({ type: "user", content: textOf(event.content), ...(origin !== undefined && { origin }) });
    }
    case "think":
    case "respond":
      return addPiece(draft, event, isStored);
    case "call_delta":
      return writeCall(draft, event);
    case "call":
      closeUnit(draft);
      return addCall(draft, event, isStored);
    case "execute":
      closeUnit(draft);
      return executeCalls(draft);
    case "result":
      closeUnit(draft);
      return settleCalls(draft, event);
    case "error":
      closeBlock(draft);
      return addError(draft, event.code, event.content);
    case "end":
    case "metric":
      return closeBlock(draft);
    case "interrupt":
      closeBlock(draft);
      return endRun(draft, { status: "stopped" });
    case "cancelled":
      closeBlock(draft);
      abandonCalls(draft, "cancelled");
      return endRun(draft, { status: "cancelled" });
    case "record":
      return readRecord(draft, event);
    case "run_started":
      // What the last run waited for is there.
      if (lastEnd(draft)?.status === "waiting") draft.replace(draft.parts.length - 1, 1);
      return;
    case "run_ended":
      closeBlock(draft);
      return endRun(draft, fieldsOf(event));
    case "tool_started":
      return startCall(draft, event.id, event.timestamp, {
        name: textOf(event.name),
        args: fieldsOf(event.args) as JsonObject,
      });
    case "tool_progress":
      return progressCall(draft, event.id, event.update);
    case "tool_ended":
      return endCall(draft, event.id, event.result, () => event.duration, event.outcome);
    case "approval_requested":
      return ask(draft, event.question, event.id, "approval", event);
    case "question_asked":
      return ask(draft, event.question, event.id, "answer", event);
    case "approval_settled":
      return decide(draft, event.question, event.id, event.decision, reasonOf(event));
    case "question_answered":
      return decide(draft, event.question, event.id, "answered", { answer: event.content });
  }
}

function readRecord(draft: Draft, { kind, data: content, timestamp }: RecordEvent): void {
  const data = fieldsOf(content);
  switch (kind) {
    case "rejected":
      closeUnit(draft);
      removeCalls(draft, () => true);
      return addError(draft, data.code, data.message);
    case "question":
      return ask(draft, data.id, data.call, data.asks === "answer" ? "answer" : "approval", data);
    case "approval": {
      const { question, id, status } = data;
      // Logs of earlier versions may name no question: it is known by its call.
      if (status === "asked") return ask(draft, question ?? id, id, "approval", data);
      if (status === "approved" || status === "denied") decide(draft, question, id, status, reasonOf(data));
      return;
    }
    case "answer":
      return decide(draft, data.question, undefined, "answered", { answer: data.content as Json });
    case "started":
      return startCall(draft, data.id, timestamp, typeof data.call === "string" ? readCall(data.call) : undefined);
    case "finished":
      return endCall(draft, data.id, data.result, (started) => Math.max(0, timestamp - started));
    case "run":
      return endRun(draft, data);
  }
}

/** The model's unit is whole, and the calls that it had only announced are void (protocol.md P7). */
function closeBlock(draft: Draft): void {
  closeUnit(draft);
  removeCalls(draft, ({ announced }) => announced);
}

function addError(draft: Draft, code: unknown, message: unknown): void {
  draft.add({ type: "error", code: textOf(code), message: textOf(message) });
}

/** Of several ends with nothing between them the last one counts, but a run that is cancelled stays so. */
function endRun(draft: Draft, { status, stop, error }: Readonly<Record<string, unknown>>): void {
  const last = lastEnd(draft);
  if (last?.status === "cancelled") return;
  const { reason, message } = fieldsOf(stop);
  const failure = fieldsOf(error);
  draft.replace(draft.parts.length - (last ? 1 : 0), last ? 1 : 0, {
    type: "end",
    status: textOf(status) as EndPart["status"],
    ...(stop !== undefined && { stop: { reason: textOf(reason), message: textOf(message) } }),
    ...(error !== undefined && { error: { code: textOf(failure.code), message: textOf(failure.message) } }),
  });
}

function lastEnd({ parts }: Draft): EndPart | undefined {
  const last = parts.at(-1);
  return last?.type === "end" ? last : undefined;
}

function reasonOf({ reason }: { readonly reason?: unknown }): { reason?: string } {
  return typeof reason === "string" ? { reason } : {};
}
