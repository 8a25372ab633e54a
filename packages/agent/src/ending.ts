import type { ErrorEvent, JsonObject, JsonSchema, LogEvent, RecordEvent } from "@cogency/protocol";
import type { Concern } from "@cogency/tools";
import { isForcedStop, type StopSignal } from "@cogency/tools/host";

/** How a run ends that does not fail. */
export type RunEnding = {
  /** An event that tells the consumer why, after the last step. */
  notice?: ErrorEvent;
} & (
  | {
      status: "completed";
      /** Why; absent if the model gave a complete answer. */
      stop?: StopSignal;
      waiting?: undefined;
    }
  | { status: "stopped"; stop: StopSignal; waiting?: undefined }
  /** The questions that the run waits for. */
  | { status: "waiting"; waiting: readonly OpenQuestion[]; stop?: undefined }
);

/** A question that stands until somebody answers it. */
export interface OpenQuestion {
  /** The id of the question. */
  readonly question: string;
  /** `approval`: whether the call may run. `answer`: the call itself asks, with `message` and `schema`. */
  readonly asks: "approval" | "answer";
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** SHA-256 of the arguments in canonical form. */
  readonly hash: string;
  /** Why it is asked; empty if only the policy asks. */
  readonly concerns: readonly Concern[];
  /** What the call touches: resolved paths such as `file:/srv/notes.md`. */
  readonly touches: readonly string[];
  /** What the call asks. */
  readonly message?: string;
  /** What an answer to the call must fit; absent for a text. */
  readonly schema?: JsonSchema;
  /** The client is asked, whose tool is called: no person. It answers with `{ output }`, or with `{ error }`, a text. */
  readonly client?: true;
  /**
   * The names of the agents that lead to the call that asks, from the outermost, where an agent asks that the call `id` has started.
   * `name`, `args` and `hash` are those of its call.
   */
  readonly agents?: readonly string[];
}

/** The ending of a run whose tool or hook asked for it. */
export function endingOfStop(stop: StopSignal): RunEnding {
  return { status: isForcedStop(stop) ? "stopped" : "completed", stop };
}

/**
 * The record that a run has ended, in the append of its last usage: who wakes the conversation later finds it ended. None for
 * a run that waits, because `recover` goes on with it.
 */
export function runRecords({ status, stop }: RunEnding, timestamp: number): RecordEvent[] {
  if (status === "waiting") return [];
  return [{ type: "record", kind: "run", data: { status, ...(stop && { stop: { ...stop } }) }, timestamp }];
}

/**
 * The ending of a log whose last run has ended. Undefined if `recover` continues it: the run broke off, failed, was
 * interrupted or cancelled, or an older version wrote the log.
 */
export function endingOf(log: readonly LogEvent[]): RunEnding | undefined {
  const last = log.findLast((event) => event.type !== "record" || event.kind === "run");
  if (last?.type !== "record" || last.kind !== "run") return undefined;
  const { status, stop: given } = (last.data ?? {}) as Partial<RunEnding>;
  const stop = isStop(given) ? { ...given, context: given.context ?? {} } : undefined;
  if (status === "completed") return { status, ...(stop && { stop }) };
  if (status !== "stopped") return undefined;
  return { status, stop: stop ?? { reason: "unknown", message: "The run was stopped.", context: {} } };
}

/** The ending of a log whose last run was cancelled; undefined if it was not. */
export function endingOfCancelled(log: readonly LogEvent[]): RunEnding | undefined {
  if (log.findLast(({ type }) => type !== "record")?.type !== "cancelled") return undefined;
  return { status: "stopped", stop: { reason: "user_requested", message: "The run was cancelled.", context: {} } };
}

/** A log from elsewhere may hold anything. */
function isStop(stop: unknown): stop is StopSignal {
  const { reason, message } = (stop ?? {}) as Partial<StopSignal>;
  return typeof reason === "string" && typeof message === "string";
}
