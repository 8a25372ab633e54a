import { type LogEvent, missingResults, type RecordEvent, type ResultEvent, type ToolResult } from "@cogency/protocol";
import type { Executor } from "@cogency/tools";
import {
  type AnswerRecord,
  type ApprovalRecord,
  type QuestionRecord,
  type StopSignal,
  strongestStop,
} from "@cogency/tools/host";
import { closesCalls } from "../log/closes-calls.ts";
import { resultEvent } from "./result-event.ts";

/** The calls at the end of a log that have no result, and what the log says about them. */
export interface OpenCalls {
  /** As stored, in call order. */
  readonly calls: readonly { content: string; id: string }[];
  /** The result reported for each call if the run stops here: the recorded one if the call ended, else a failure. */
  readonly results: readonly ToolResult[];
  /**
   * By the id of each call that may have taken effect, because its body began and does not wait for an answer: the JSON text of the
   * call that ran; undefined where it ran as stored.
   */
  readonly started: ReadonlyMap<string, string | undefined>;
  /** The ids of the calls that ended. */
  readonly finished: ReadonlySet<string>;
  /** The strongest request to end the run that one of these calls made. */
  readonly stop: StopSignal | undefined;
  /** The approval records of these calls, without answers to questions that an earlier record had answered. */
  readonly approvals: readonly ApprovalRecord[];
  /** The questions about these calls that no record of approval has answered, and all that their bodies asked. */
  readonly questions: readonly QuestionRecord[];
  /** The answers to questions that the bodies of these calls asked. */
  readonly answers: readonly AnswerRecord[];
  /** The log without the content that these calls brought: the model had not seen it when it wrote them. */
  readonly known: readonly LogEvent[];
}

/** Undefined when every call has its result. */
export function openCalls(log: readonly LogEvent[], executor: Executor): OpenCalls | undefined {
  const missing = missingResults(log);
  if (missing.length === 0) return undefined;
  const before = log.slice(0, log.findLastIndex(closesCalls) + 1);
  const since = log.slice(before.length);
  const calls = since.flatMap((event) =>
    event.type === "call" ? [{ content: event.content, id: event.id ?? "" }] : [],
  );
  const ids = new Set(calls.map(({ id }) => id));
  const records = recordsIn(since);
  const answered = answeredQuestions(before);
  return {
    calls,
    results: missing.map((result, index) => executor.shorten(result, calls[index]?.id ?? "")),
    started: startedCalls(records),
    finished: new Set(records.flatMap((record) => (record.kind === "finished" ? [record.data.id] : []))),
    stop: strongestStop(
      records.flatMap((record) =>
        record.kind === "finished" && record.data.stop ? [record.data.stop as StopSignal] : [],
      ),
    ),
    approvals: records.flatMap((record) =>
      record.kind === "approval" && !answered.has(record.data.question) ? [record.data] : [],
    ),
    questions: questionsIn(records),
    answers: records.flatMap((record) => (record.kind === "answer" ? [record.data] : [])),
    known: [...before, ...since.filter((event) => !isOfCall(event, ids))],
  };
}

/** Whether the record names content that one of the calls brought, or may have brought. */
function isOfCall(event: LogEvent, ids: ReadonlySet<string>): boolean {
  if (event.type !== "record") return false;
  if (event.kind === "started") return ids.has(event.data?.id);
  return event.kind === "content" && event.data?.call !== undefined && ids.has(event.data.call);
}

/** An answer counts once: a copy of it further down the log approves nothing. */
function answeredQuestions(log: readonly LogEvent[]): ReadonlySet<string | undefined> {
  return new Set(
    recordsIn(log).flatMap((record) =>
      record.kind === "approval" && record.data.question !== undefined && record.data.status !== "asked"
        ? [record.data.question]
        : [],
    ),
  );
}

function questionsIn(records: readonly RecordEvent[]): QuestionRecord[] {
  const answered = answeredQuestions(records);
  return records.flatMap((record) => {
    if (record.kind !== "question" || answered.has(record.data.id)) return [];
    // Its concerns are shown to people only.
    return [record.data as QuestionRecord];
  });
}

/**
 * The last record of a call decides: while its body asks, or after its tool has found out that it had none, it has no effect; once
 * it has the answer, it goes on.
 */
function startedCalls(records: readonly RecordEvent[]): Map<string, string | undefined> {
  const started = new Map<string, string | undefined>();
  const asking = new Map<string, { call: string; ran: string | undefined }>();
  for (const record of records) {
    if (record.kind === "started") started.set(record.data.id, record.data.call);
    if (record.kind === "not_done") started.delete(record.data.id);
    if (record.kind === "question" && record.data.asks === "answer" && started.has(record.data.call)) {
      const { id, call } = record.data;
      asking.set(id, { call, ran: started.get(call) });
      started.delete(call);
    }
    const asked = record.kind === "answer" ? asking.get(record.data.question) : undefined;
    if (asked) started.set(asked.call, asked.ran);
  }
  return started;
}

/** Leaves out records without data, which a log from elsewhere may hold. */
function recordsIn(log: readonly LogEvent[]): RecordEvent[] {
  return log.filter((event) => event.type === "record").filter(({ data }) => typeof data === "object" && data !== null);
}

/** The result event of calls that will not run any more. */
export function closingResult({ calls, results, started }: OpenCalls, timestamp: number): ResultEvent {
  const ids = calls.map(({ id }) => id);
  return resultEvent(results, ids, started.size, timestamp);
}
