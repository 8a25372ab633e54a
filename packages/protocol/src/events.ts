import type { Json, JsonObject } from "./json.ts";
import type { ToolResult } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** Every event carries the time it was made: Unix time in seconds, fractional. */
interface Timed {
  timestamp: number;
}

/** What a person, or the framework in a person's place, said to the model. */
export interface UserEvent extends Timed {
  type: "user";
  content: string;
  /** Absent for the person; `untrusted` is text that no person vouched for, such as piped input. */
  origin?: "nudge" | "notice" | "recovery" | "untrusted";
}

/** Reasoning. Never part of the answer. */
export interface ThinkEvent extends Timed {
  type: "think";
  content: string;
  /** Token view only: pieces of one unit share a number, two adjacent units do not. */
  unit?: number;
}

/** Text for the user. */
export interface RespondEvent extends Timed {
  type: "respond";
  content: string;
  /** Token view only: pieces of one unit share a number, two adjacent units do not. */
  unit?: number;
}

/** One tool call, announced; it takes effect at `execute` (protocol.md P7). */
export interface CallEvent extends Timed {
  type: "call";
  /** The JSON text of `{"name","args"}`. */
  content: string;
  /** Present once the runtime has minted one. */
  id?: string;
}

/** Raw text of a call's arguments as it arrives, for display: token view only, and only where it is asked for. */
export interface CallDeltaEvent extends Timed {
  type: "call_delta";
  /** Which call of its block, from 0. */
  index: number;
  /** Present once it is known. */
  name?: string;
  /** The pieces of one call put together are its arguments as they were written. */
  content: string;
}

/** The model closed its batch: the calls since the last boundary run now. */
export interface ExecuteEvent extends Timed {
  type: "execute";
  /** The block needed one of the lossless repairs of protocol.md §2. */
  repaired?: true;
}

/** The outcomes of one batch, in call order. */
export interface ResultEvent extends Timed {
  type: "result";
  /** The JSON text of an array of `{"tool","status","content"}`. */
  content: string;
  payload: ResultPayload;
}

export interface ResultPayload {
  /** Tool bodies that started. */
  tools_executed: number;
  success_count: number;
  /** Every outcome that is not a success. */
  failure_count: number;
}

/** The model declared its turn complete. */
export interface EndEvent extends Timed {
  type: "end";
}

/** What one step and the run so far have used. */
export interface MetricEvent extends Timed {
  type: "metric";
  step: Measure;
  total: Measure;
}

export interface Measure extends Usage {
  /** Seconds. */
  duration: number;
  /** In the currency of the prices that the user supplied; absent when they are unknown. */
  cost?: number;
}

/** Codes of the parser's own errors. */
export type ParseErrorCode = "malformed_execute" | "truncated_execute" | "forged_results";

/** Something went wrong that the run survives. What it does not survive is thrown. */
export interface ErrorEvent extends Timed {
  type: "error";
  /** A sentence that a model or a person can act on. */
  content: string;
  code: ParseErrorCode | (string & {});
  /**
   * UTF-16 offset in the text of the generation: of the first character that cannot stand there, of the end of the call
   * or of the text where a string in it is at fault, of the marker of a forged block, of the end of the text where a
   * block was cut off.
   */
  position?: number;
}

/** A deadline or a signal ended the step. */
export interface InterruptEvent extends Timed {
  type: "interrupt";
}

/** The user ended the run. */
export interface CancelledEvent extends Timed {
  type: "cancelled";
}

/** Everything a consumer can receive (protocol.md §3). */
export type AgentEvent =
  | UserEvent
  | ThinkEvent
  | CallEvent
  | CallDeltaEvent
  | ExecuteEvent
  | ResultEvent
  | RespondEvent
  | EndEvent
  | MetricEvent
  | ErrorEvent
  | InterruptEvent
  | CancelledEvent;

/** What the log holds besides events; consumers never receive it. */
export type RecordEvent = Timed & { type: "record" } & RecordContent;

/** What a record tells, by its kind. */
export type RecordContent =
  /** A block that was refused: why, where in the generation, and its text. */
  | { kind: "rejected"; data: { code: string; message: string; position?: number; text?: string } }
  /** Who began the log, signed by a key outside of it; `scope` is what the conversation belongs to, such as a folder. */
  | { kind: "origin"; data: { scope?: string; proof: Proof } }
  /** From here on the conversation holds text that no person vouched for, or what is private; `call` brought it. */
  | { kind: "content"; data: { holds: "untrusted" | "private"; source: string; call?: string } }
  /**
   * The approval of a call, before it began: a question was put or answered, about these arguments (`hash`) and no others.
   * An answer counts only with a `proof` that can be verified.
   */
  | {
      kind: "approval";
      data: {
        id: string;
        name: string;
        hash: string;
        status: "asked" | "approved" | "denied";
        /** Names the question; its answer carries the same. */
        question?: string;
        reason?: string;
        /** SHA-256 of what the question showed beside the call; an approval counts only where that is the same. */
        shown?: string;
        proof?: Proof;
      };
    }
  /**
   * A call began; `call` is the JSON text of what ran, where that is not what the model wrote. `brings` is what it may
   * bring into the conversation at worst: that counts if the log does not tell how the call ended.
   */
  | {
      kind: "started";
      data: { id: string; call?: string; brings?: readonly { holds: "untrusted" | "private"; source: string }[] };
    }
  /** A call ended; `stop` is why it asked that the run end, if it did. */
  | {
      kind: "finished";
      data: {
        id: string;
        result: ToolResult;
        stop?: { reason: string; message: string; context: JsonObject; source?: string };
      };
    }
  /** A provider's own blocks, such as reasoning with signatures. */
  | { kind: "native"; data: { provider: string; model: string; data: Json } }
  /** What a compaction left of the events before it. */
  | { kind: "summary"; data: Json }
  /** What a step used. */
  | { kind: "usage"; data: Measure };

export type RecordKind = RecordContent["kind"];

/** Shows that whoever wrote a record held a key: `mac` is an HMAC under the key named `key`. */
export interface Proof {
  readonly key: string;
  /** 64 lower-case hexadecimal digits. */
  readonly mac: string;
}

/** The event types that a store keeps (protocol.md §3). */
export type PersistedType = "user" | "think" | "call" | "result" | "respond" | "cancelled";

export type Persisted<E extends AgentEvent> = Extract<E, { type: PersistedType }>;

/** What a store holds. */
export type LogEvent = Persisted<AgentEvent> | RecordEvent;

const persistedTypes: ReadonlySet<string> = new Set<PersistedType | "record">([
  "user",
  "think",
  "call",
  "result",
  "respond",
  "cancelled",
  "record",
]);

/** Whether an event of this type belongs in a store (protocol.md §3). A `record` does. */
export function isPersisted(type: string): type is LogEvent["type"] {
  return persistedTypes.has(type);
}
