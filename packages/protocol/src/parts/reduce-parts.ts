import type { LogEvent, RecordEvent } from "../events.ts";
import type { Json, JsonObject } from "../json.ts";
import { noticeSources } from "../notice-sources.ts";
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

/** Reads an event. A notice at the end is over when the conversation goes on: something comes after it, or calls have ended. */
function readEvent(draft: Draft, event: PartEvent, isStored: boolean): void {
  const notice = draft.parts.at(-1);
  readKnown(draft, event, isStored);
  if (notice?.type !== "notice") return;
  const at = draft.parts.lastIndexOf(notice);
  if (at < 0 || (at === draft.parts.length - 1 && event.type !== "result")) return;
  const { code, message } = notice;
  draft.replace(at, 1, { type: "notice", code, message });
}

/** `isStored` says that the event comes from a log: its units are whole, and its calls have taken effect. */
function readKnown(draft: Draft, event: PartEvent, isStored: boolean): void {
  switch (event.type) {
    case "user": {
      closeBlock(draft);
      abandonCalls(draft, "failure");
      const { origin, attachments } = event;
      const sources = noticeSources(event);
      draft.add({
        type: "user",
        content: textOf(event.content),
        ...(typeof origin === "string" && { origin }),
        ...(sources.length > 0 && { sources }),
        ...(Array.isArray(attachments) && { attachments }),
      });
      break;
    }
    case "think":
    case "respond":
      addPiece(draft, event, isStored);
      break;
    case "call_delta":
      writeCall(draft, event);
      break;
    case "call":
      closeUnit(draft);
      addCall(draft, event, isStored);
      break;
    case "execute":
      closeUnit(draft);
      executeCalls(draft);
      break;
    case "result":
      closeUnit(draft);
      settleCalls(draft, event);
      break;
    case "error":
      closeBlock(draft);
      addError(draft, event.code, event.content);
      break;
    case "end":
    case "metric":
      closeBlock(draft);
      break;
    case "interrupt":
      closeBlock(draft);
      endRun(draft, { status: "stopped" });
      break;
    case "cancelled":
      closeBlock(draft);
      abandonCalls(draft, "cancelled");
      endRun(draft, { status: "cancelled" });
      break;
    case "record":
      readRecord(draft, event);
      break;
    case "run_started":
      // What the last run waited for is there.
      if (lastEnd(draft)?.status === "waiting") draft.replace(draft.parts.length - 1, 1);
      break;
    case "run_ended":
      closeBlock(draft);
      endRun(draft, fieldsOf(event));
      break;
    case "tool_started":
      startCall(draft, event.id, event.timestamp, {
        name: textOf(event.name),
        args: fieldsOf(event.args) as JsonObject,
      });
      break;
    case "tool_progress":
      progressCall(draft, event.id, event.update);
      break;
    case "tool_ended":
      endCall(draft, event.id, event.result, () => event.duration, event.outcome);
      break;
    case "approval_requested":
      ask(draft, event.question, event.id, "approval", event);
      break;
    case "question_asked":
      ask(draft, event.question, event.id, "answer", event);
      break;
    case "approval_settled":
      decide(draft, event.question, event.id, event.decision, reasonOf(event));
      break;
    case "question_answered":
      decide(draft, event.question, event.id, "answered", { answer: event.content });
      break;
  }
}

function readRecord(draft: Draft, { kind, data: content, timestamp }: RecordEvent): void {
  const data = fieldsOf(content);
  switch (kind) {
    case "rejected":
      closeUnit(draft);
      removeCalls(draft, () => true);
      addError(draft, data.code, data.message);
      break;
    case "notice":
      addNotice(draft, data);
      break;
    case "question":
      ask(draft, data.id, data.call, data.asks === "answer" ? "answer" : "approval", data);
      break;
    case "approval": {
      const { question, id, status } = data;
      // Logs of earlier versions may name no question: it is known by its call.
      if (status === "asked") ask(draft, question ?? id, id, "approval", data);
      if (status === "approved" || status === "denied") decide(draft, question, id, status, reasonOf(data));
      break;
    }
    case "answer":
      decide(draft, data.question, undefined, "answered", { answer: data.content as Json });
      break;
    case "started":
      startCall(draft, data.id, timestamp, typeof data.call === "string" ? readCall(data.call) : undefined);
      break;
    case "finished":
      endCall(draft, data.id, data.result, (started) => Math.max(0, timestamp - started));
      break;
    case "run":
      endRun(draft, data);
      break;
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

/** Of several notices with nothing between them the last one counts. */
function addNotice(draft: Draft, { code, message, retryAt, parked }: Readonly<Record<string, unknown>>): void {
  const isAgain = draft.parts.at(-1)?.type === "notice";
  draft.replace(draft.parts.length - (isAgain ? 1 : 0), isAgain ? 1 : 0, {
    type: "notice",
    code: textOf(code),
    message: textOf(message),
    ...(typeof retryAt === "number" && { retryAt }),
    ...(parked === true && { parked }),
    open: true,
  });
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
