import type { AgentEvent } from "./events.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { ToolCall, ToolResult } from "./tool.ts";
import type { FinishReason, Usage } from "./usage.ts";

/**
 * What happens around the events of a run, for whoever watches it. Never stored. Calls are named by their `id`. `Call` is the
 * union of the calls that the tools of the run may have.
 */
export type ActivityEvent<Call extends ToolCall = ToolCall> = { timestamp: number } & (
  | RunActivity
  | RequestActivity
  | ToolActivity<Call>
  | QuestionActivity<Call>
  | StateActivity
);

/** Which run an event belongs to. */
export interface RunPlace {
  /** Random; each run has another one. */
  readonly id: string;
  readonly conversation: string;
  readonly user?: string;
  /** The step of the run, counted from 1; 0 before the first one. */
  readonly step: number;
  /** Counts the events of the run from 1. The `seq` of a stored event counts those of the log. */
  readonly order: number;
}

/**
 * One event on the timeline of a run: what the protocol has, and what happens around it. Where `Call` is known, the name of a
 * call that has passed its checks narrows its arguments.
 */
export type RunEvent<Call extends ToolCall = ToolCall> = (AgentEvent | ActivityEvent<Call>) & { run: RunPlace };

export type RunActivity =
  /**
   * `after` is the last sequence number of the log before the run; absent if the log could not be read. `traceparent` is the trace of the
   * turn that the run goes on with, if the log has one.
   */
  | {
      type: "run_started";
      mode: "run" | "recover";
      driver: string;
      provider: string;
      model: string;
      after?: number;
      traceparent?: string;
    }
  | {
      type: "run_ended";
      status: "completed" | "stopped" | "failed" | "waiting";
      stop?: { reason: string; message: string; source?: string };
      error?: { code: string; message: string };
      usage: Usage;
      /** In the currency of the prices that the user gave; absent without prices. */
      cost?: number;
    }
  | { type: "step_started" }
  /** What the step came to: an answer, calls that ran or wait for approval, or an answer that could not be used. */
  | { type: "step_ended"; outcome: "answered" | "acted" | "waiting" | "unusable" | "interrupted" };

export type RequestActivity =
  /**
   * `tokens` estimates the input. `stream` is false for a request whose answer comes as a whole, `json` true for one whose answer must fit
   * a schema.
   */
  | {
      type: "request_started";
      provider: string;
      model: string;
      tokens: number;
      stream: boolean;
      json?: true;
      maxOutputTokens?: number;
      temperature?: number;
      /** How much the model is asked to think: `off`, `low`, `medium`, `high` or `max`. */
      thinking?: string;
      stop?: readonly string[];
    }
  | {
      type: "request_ended";
      usage?: Usage;
      finish?: FinishReason | "error";
      /** Why the request failed: the code of the provider's error, or `unknown`. */
      error?: { code: string; message: string };
      /** Seconds from the request to the first event of the answer; absent if there was none. */
      first?: number;
      /** Seconds. */
      duration: number;
    }
  /** The provider asks again after `delay` milliseconds. */
  | { type: "request_retried"; attempt: number; delay: number; code: string; message: string }
  /** The server does not take a setting of the request, and is asked without it, or for the nearest that it has. */
  | { type: "setting_ignored"; setting: string; message: string }
  /** No decision could be read from an answer. The driver asks again up to `maxAttempts` times in all; `attempt` counts from 1. */
  | { type: "extraction_failed"; message: string; attempt: number; maxAttempts: number }
  /** A decision does not fit its schema. The driver asks again, as above. */
  | { type: "validation_failed"; message: string; attempt: number; maxAttempts: number };

export type ToolActivity<Call extends ToolCall = ToolCall> =
  /** The body begins, with these arguments: they fit the schema, which has not filled in or changed anything yet. */
  | ({ type: "tool_started"; id: string } & Call)
  | { type: "tool_progress"; id: string; name: Call["name"]; update: Json }
  | ToolEnd<Call>
  /** A hook refused the call. */
  | { type: "tool_blocked"; id: string; name: string; reason: string }
  /** Arguments of a native call leaked into the text. */
  | { type: "args_leaked"; name: string };

/** The call has ended; if it began, that is stored. */
type ToolEnd<Call extends ToolCall> = {
  type: "tool_ended";
  id: string;
  outcome: "success" | "failure" | "blocked" | "denied" | "cancelled" | "skipped";
  /**
   * What the model will read. Its `content` has no type of the tool: a long one is shortened to text, a failure is a message,
   * and a hook may have replaced it.
   */
  result: ToolResult;
  /** Seconds. */
  duration: number;
} & (
  | ({
      /** The body began, with these arguments. */
      started: true;
    } & Call)
  | {
      /** The body never began. There may be no such tool, and the arguments may not fit. */
      started: false;
      name: string;
      /** The arguments as they would have run. */
      args: JsonObject;
    }
);

export type QuestionActivity<Call extends ToolCall = ToolCall> =
  /** A person is asked whether a call may run. Its arguments have passed the checks, as those of `tool_started`. */
  | ({
      type: "approval_requested";
      question: string;
      id: string;
      /** SHA-256 of the arguments in canonical form. */
      hash: string;
      /** Why the call asks; empty if only the policy asks. */
      concerns: readonly { kind: string; why: string }[];
      /** What the call touches: resolved paths such as `file:/srv/notes.md`. */
      touches: readonly string[];
      /**
       * The names of the agents that lead to the call which asks, where an agent asks that the call `id` has started: `name`, `args` and
       * `hash` are those of its call.
       */
      agents?: readonly string[];
    } & Call)
  /** The question is settled, and that is stored. `by` is claimed. */
  | {
      type: "approval_settled";
      question: string;
      id: string;
      decision: "approved" | "denied";
      by?: string;
      reason?: string;
      /** The message of the error that the host threw instead of an answer. */
      error?: string;
    }
  /** A tool asks a person, or with `client` the client whose tool it is. */
  | {
      type: "question_asked";
      question: string;
      id: string;
      name: Call["name"];
      message: string;
      schema?: JsonSchema;
      client?: true;
      /** As those of `approval_requested`. */
      agents?: readonly string[];
    }
  | { type: "question_answered"; question: string; id: string; content: Json; by?: string }
  /** The host could not ask the person: the message of the error that it threw. */
  | { type: "question_failed"; question: string; id: string; message: string };

export type StateActivity =
  /**
   * A message was taken from the inbox, and that is stored. `from` is claimed. `refused` says why it has no effect. `more` others of its
   * kind were taken with it, and have no event of their own.
   */
  | { type: "message_received"; id: string; kind: string; from?: string; refused?: string; more?: number }
  /** Whether the run goes on after a step, and why. */
  | { type: "continuation_evaluated"; goesOn: boolean; reason: string }
  | { type: "stop_requested"; reason: string; message: string; source?: string }
  /** A hook broke its contract, failed or took too long. */
  | { type: "hook_violation"; hook: string; message: string }
  /** The runtime told the model something. */
  | { type: "notified"; content: string }
  /** Earlier events are replaced by a summary in the requests that follow, and that is stored: tokens of the next request. */
  | { type: "compacted"; before: number; after: number }
  /** An event of a run that a call has started. */
  | { type: "subagent"; id: string; event: RunEvent };
