import { type LogEvent, missingResults, type RecordEvent, type ResultEvent, type ToolResult } from "@cogency/protocol";
import { type ApprovalRecord, type Executor, type StopSignal, strongestStop } from "@cogency/tools";
import { resultEvent } from "./result-event.ts";

/** The calls at the end of a log that no result has answered, and what became of them. */
export interface OpenCalls {
  /** As stored, in call order. */
  readonly calls: readonly { content: string; id: string }[];
  /** What is told of each if nothing more is done: what was recorded of those that ended, a failure for the others. */
  readonly owed: readonly ToolResult[];
  /** By the id of each call that began: the JSON text of what ran, undefined where that is what is stored. */
  readonly started: ReadonlyMap<string, string | undefined>;
  readonly finished: ReadonlySet<string>;
  /** Why the run was to end, if one of those calls asked for it. */
  readonly stop: StopSignal | undefined;
  /** What was logged about these calls, without answers to questions that had been answered before. */
  readonly approvals: readonly ApprovalRecord[];
  /** The log without what these calls have brought since: the model wrote them knowing no more. */
  readonly known: readonly LogEvent[];
}

/** Undefined when every call has its result. */
export function openCalls(log: readonly LogEvent[], executor: Executor): OpenCalls | undefined {
  const missing = missingResults(log);
  if (missing.length === 0) return undefined;
  const before = log.slice(0, log.findLastIndex(endsTurn) + 1);
  const since = log.slice(before.length);
  const calls = since.flatMap((event) =>
    event.type === "call" ? [{ content: event.content, id: event.id ?? "" }] : [],
  );
  const ids = new Set(calls.map(({ id }) => id));
  const records = recordsIn(since);
  const settled = settledQuestions(before);
  return {
    calls,
    owed: missing.map((result, index) => executor.shorten(result, calls[index]?.id ?? "")),
    started: new Map(
      records.flatMap((record) => (record.kind === "started" ? [[record.data.id, record.data.call] as const] : [])),
    ),
    finished: new Set(records.flatMap((record) => (record.kind === "finished" ? [record.data.id] : []))),
    stop: strongestStop(
      records.flatMap((record) =>
        record.kind === "finished" && record.data.stop ? [record.data.stop as StopSignal] : [],
      ),
    ),
    approvals: records.flatMap((record) =>
      record.kind === "approval" && !settled.has(record.data.question) ? [record.data] : [],
    ),
    known: [...before, ...since.filter((event) => !isOfCall(event, ids))],
  };
}

/** Whether it tells what a call brought, or would at worst. */
function isOfCall(event: LogEvent, ids: ReadonlySet<string>): boolean {
  if (event.type !== "record") return false;
  if (event.kind === "started") return ids.has(event.data?.id);
  return event.kind === "content" && event.data?.call !== undefined && ids.has(event.data.call);
}

/** An answer counts once: a copy of it further down approves nothing. */
function settledQuestions(log: readonly LogEvent[]): ReadonlySet<string | undefined> {
  return new Set(
    recordsIn(log).flatMap((record) =>
      record.kind === "approval" && record.data.question !== undefined && record.data.status !== "asked"
        ? [record.data.question]
        : [],
    ),
  );
}

/** Before it, no call is open; see `toMessages`. */
export function endsTurn(event: LogEvent): boolean {
  return event.type === "record" ? event.kind === "rejected" : turnEnds.has(event.type);
}

const turnEnds: ReadonlySet<string> = new Set<LogEvent["type"]>(["user", "result", "cancelled"]);

/** A log from elsewhere may hold records of nothing. */
function recordsIn(log: readonly LogEvent[]): RecordEvent[] {
  return log.filter((event) => event.type === "record").filter(({ data }) => typeof data === "object" && data !== null);
}

/** The answer to calls that will not run any more. */
export function owedResult({ owed, started }: OpenCalls, timestamp: number): ResultEvent {
  return resultEvent(owed, started.size, timestamp);
}
