import { type LogEvent, missingResults, type ResultEvent, type ToolResult } from "@cogency/protocol";
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
  readonly approvals: readonly ApprovalRecord[];
}

/** Undefined when every call has its result. */
export function openCalls(log: readonly LogEvent[], executor: Executor): OpenCalls | undefined {
  const missing = missingResults(log);
  if (missing.length === 0) return undefined;
  const since = log.slice(log.findLastIndex(({ type }) => type !== "record" && type !== "call") + 1);
  const calls = since.flatMap((event) =>
    event.type === "call" ? [{ content: event.content, id: event.id ?? "" }] : [],
  );
  const records = since.filter((event) => event.type === "record");
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
    approvals: records.flatMap((record) => (record.kind === "approval" ? [record.data] : [])),
  };
}

/** The answer to calls that will not run any more. */
export function owedResult({ owed, started }: OpenCalls, timestamp: number): ResultEvent {
  return resultEvent(owed, started.size, timestamp);
}
