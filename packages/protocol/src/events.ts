import type { Attachment } from "./attachment.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { MessageForm } from "./message.ts";
import type { ToolResult, ToolSpec } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** Every event carries the time at which it was made: Unix time in seconds, with a fraction. */
interface Timed {
  timestamp: number;
}

/** Words to the model, from the person or from the runtime. */
export interface UserEvent extends Timed {
  type: "user";
  content: string;
  /**
   * Absent for the person. `nudge`: the last step was unusable. `notice`: the runtime reports something. `recovery`: the
   * run goes on after an interruption. `untrusted`: text that no person vouched for, such as piped input.
   */
  origin?: "nudge" | "notice" | "recovery" | "untrusted";
  /** Who speaks, where a `notice` comes from outside of the program; at most 20. `content` names them, too. */
  sources?: readonly NoticeSource[];
  /** The model gets them after the text. */
  attachments?: readonly Attachment[];
}

/** Something outside that a notice comes from, such as a job, a file or a webhook. */
export interface NoticeSource {
  /** One line. */
  source: string;
  /** How many of its notices the event stands for. */
  count: number;
  /** What any of them is. Absent for text that the host vouches for. */
  holds?: "untrusted" | "private";
}

/** Reasoning. It is never part of the answer. */
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

/** One tool call, announced. It takes effect at `execute` (protocol.md P7). */
export interface CallEvent extends Timed {
  type: "call";
  /** The JSON text of `{"name","args"}`. */
  content: string;
  /** Present once the runtime has made one: `[A-Za-z0-9_-]{1,40}`. */
  id?: string;
}

/** Raw text of a call's arguments as it arrives, for display. Token view only, with the option `callDeltas`. */
export interface CallDeltaEvent extends Timed {
  type: "call_delta";
  /** The number of the call in its block, from 0. */
  index: number;
  /** The id that the call will have. Present once the runtime has made one. */
  id?: string;
  /** Present once it is known. */
  name?: string;
  /** A piece. The pieces of one call, put together, are its arguments as the model wrote them. */
  content: string;
}

/** The model closed its block: the calls that were announced run now. */
export interface ExecuteEvent extends Timed {
  type: "execute";
  /** The block needed one of the lossless repairs of protocol.md §2. */
  repaired?: true;
}

/** The results of one batch, in call order. */
export interface ResultEvent extends Timed {
  type: "result";
  /** The JSON text of an array of `{"tool","status","content"}`. The attachments of results stand in `finished` records. */
  content: string;
  payload: ResultPayload;
  /** The ids of the calls, in their order. Absent in logs of earlier versions. */
  ids?: readonly string[];
}

export interface ResultPayload {
  /** The number of tool bodies that started. */
  tools_executed: number;
  success_count: number;
  /** The number of results that are not a success. */
  failure_count: number;
}

/** The model says that its turn is complete. */
export interface EndEvent extends Timed {
  type: "end";
}

/** What one step used, and what the run has used so far. */
export interface MetricEvent extends Timed {
  type: "metric";
  step: Measure;
  total: Measure;
}

export interface Measure extends Usage {
  /** Seconds. */
  duration: number;
  /** In the currency of the prices that the user gave; absent without prices. */
  cost?: number;
}

/** The codes of a parser. A runtime adds codes of its own (protocol.md §3). */
export type ParseErrorCode = "malformed_execute" | "truncated_execute" | "forged_results";

/** Something went wrong that the run survives. A failure that ends the run is thrown instead. */
export interface ErrorEvent extends Timed {
  type: "error";
  /** A sentence that a model or a person can act on. */
  content: string;
  code: ParseErrorCode | (string & {});
  /**
   * A UTF-16 offset in the text of the generation. It points at the first character that cannot stand there; for a
   * fault in a string, at the end of its call or of the text; for forged results, at their marker; for a block that was
   * cut off, at the end of the text.
   */
  position?: number;
}

/** A signal or a deadline ended the run. */
export interface InterruptEvent extends Timed {
  type: "interrupt";
}

/** The user ended the run. */
export interface CancelledEvent extends Timed {
  type: "cancelled";
}

/** Everything that a consumer can receive (protocol.md §3). */
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

/** An entry of a log that consumers never receive: for assembly, recovery and approval (protocol.md §3). */
export type RecordEvent = Timed & { type: "record" } & RecordContent;

/**
 * The content of a record, by its kind. A reader ignores kinds that it does not know, and redaction treats all texts of a kind that
 * it does not know. CONTRIBUTING, "Add a record kind", lists all who read kinds.
 */
export type RecordContent =
  /** A block was refused: why, where in the generation, and its text. */
  | { kind: "rejected"; data: { code: string; message: string; position?: number; text?: string } }
  /**
   * Who began the log, signed by a key outside of it. `scope` names what the conversation belongs to, such as a folder.
   */
  | { kind: "origin"; data: { scope?: string; proof: Proof } }
  /** The log began with the first `at` events of the conversation `from`, which is of the same user. */
  | { kind: "fork"; data: { from: string; at: number } }
  /**
   * From here on the conversation holds text that no person vouched for, or private text. `call` is the id of the call
   * that brought it.
   */
  | { kind: "content"; data: { holds: "untrusted" | "private"; source: string; call?: string } }
  /**
   * A question about a call was put or answered, before the call began. It is about the arguments of this `hash` and no
   * others. An answer counts only with a `proof` that can be verified.
   */
  | {
      kind: "approval";
      data: {
        id: string;
        name: string;
        hash: string;
        status: "asked" | "approved" | "denied";
        /** Names the question. Its answer carries the same value. */
        question?: string;
        reason?: string;
        /** SHA-256 of everything that the question showed beside the call. An approval counts only where that is the same. */
        shown?: string;
        proof?: Proof;
      };
    }
  /**
   * A person was asked, and the answer is open until a record names this question: `approval` or `answer`. One whether a call may run is
   * open also only until another one about the same call takes its place. It keeps its id across restarts. `call` is the id of the call, `hash` that of its arguments.
   */
  | {
      kind: "question";
      data: {
        id: string;
        call: string;
        name: string;
        /** The arguments as the call will run, where they are not those that the model wrote. */
        args?: JsonObject;
        hash: string;
        /** `approval`: whether the call may run. `answer`: the call itself asks, with `message` and the `schema` of an answer. */
        asks: "approval" | "answer";
        /** What the call touches, as it was shown: resolved paths. */
        touches?: readonly string[];
        /** Why it is asked. */
        concerns?: readonly { kind: string; why: string }[];
        message?: string;
        schema?: JsonSchema;
        /** SHA-256 of everything that the question showed beside the call. */
        shown?: string;
        /** SHA-256 of the definition of the tool, where somebody else than the program has defined it. */
        definition?: string;
        /** The call is one of a tool of the client (`client_tools`), which answers with what came of it. */
        client?: true;
        /**
         * The agents that lead to it, where an agent asks that the call has started: `name`, `args` and `hash` are those of its call.
         */
        agents?: readonly string[];
      };
    }
  /** The answer to a question that a call had asked. It counts only with a `proof` that can be verified. */
  | { kind: "answer"; data: { question: string; content: Json; from?: string; proof?: Proof } }
  /**
   * A message was taken from the inbox, in the same append as what it led to. With `more` it stands also for so many others of its kind,
   * which were taken with it.
   */
  | { kind: "message"; data: { id: string; kind: string; from?: string; refused?: string; more?: number } }
  /**
   * A request was made to the model: what the driver gave the provider. Stored with the first event of its answer, after
   * everything that it was made from. `settings` is all that has no field of its own.
   *
   * Hashes are the SHA-256 of canonical JSON. `system` and `tools` are present unless the last record that carries them has the
   * same. `hashes.tools` is absent if the request had no native tools; the text protocol teaches its tools in `system`.
   *
   * `messages` are those of the log before the record in the `form` that the driver asked for, `without` these calls, unless it made
   * others. The first
   * `again` of its `count` messages are those of the request before; `hash` is that of the array of the rest.
   */
  | {
      kind: "request";
      data: {
        driver: string;
        provider: string;
        model: string;
        settings: JsonObject;
        messages: { form?: MessageForm; without?: readonly string[]; count: number; again: number; hash: string };
        hashes: { system: string; tools?: string };
        system?: string;
        tools?: readonly ToolSpec[];
      };
    }
  /**
   * A call began. `call` is the JSON text of the call that ran, where a hook changed the one that the model wrote. `brings`
   * is what the call may bring into the conversation at worst; it counts if the log does not say how the call ended. `allowed` says for
   * a reader why the call might run; nothing relies on it.
   */
  | {
      kind: "started";
      data: {
        id: string;
        call?: string;
        brings?: readonly { holds: "untrusted" | "private"; source: string }[];
        allowed?: Allowed;
      };
    }
  /** A call had begun when a run broke off, and its tool has found out that it had no effect: it counts as not begun. */
  | { kind: "not_done"; data: { id: string } }
  /** A call ended. `stop` is present if it asked that the run end, and says why. */
  | {
      kind: "finished";
      data: {
        id: string;
        result: ToolResult;
        stop?: { reason: string; message: string; context: JsonObject; source?: string };
      };
    }
  /** The provider's own blocks, such as reasoning with signatures. */
  | { kind: "native"; data: { provider: string; model: string; data: Json } }
  /**
   * The `user` event before it, with the origin `notice`, describes these tools, which the model had found and did not know. From
   * there on it may call them.
   */
  | { kind: "tools_found"; data: { names: readonly string[] } }
  /**
   * What the model knows of tools that may change. `tools` are those that are new or have changed since the last such record, with the
   * hash of their definition, `gone` those that it knew and does not have any more, `notes` the hashes of what it was told beside. If the
   * model was told, the `user` event before it, with the origin `notice`, says so.
   */
  | {
      kind: "source_tools";
      data: {
        tools: readonly { name: string; hash: string }[];
        gone: readonly string[];
        notes: readonly string[];
      };
    }
  /**
   * The tools that the client of the conversation brings for the turn, in the append of its first words, or of a steer. A call of one is a
   * question to the client. The last record counts; one without tools takes them back.
   */
  | { kind: "client_tools"; data: { tools: readonly ToolSpec[] } }
  /**
   * What a compaction left: `{ "upTo": 40, "text": "…" }`. In requests the text stands for the first `upTo` events, which stay in
   * the log. The last record counts, and one with `upTo` 0 takes all of them back. Other data has no effect.
   */
  | { kind: "summary"; data: Json }
  /**
   * The trace that the turn is part of, in the append of its first words: a `traceparent` of W3C Trace Context. Who goes on with the turn
   * goes on with the trace.
   */
  | { kind: "trace"; data: { traceparent: string } }
  /**
   * The turn must end with an answer that fits this JSON Schema, in the append of its first words. Who goes on with the turn asks for
   * the same.
   */
  | { kind: "object"; data: { schema: JsonSchema } }
  /**
   * Something keeps the conversation from going on, in words for the person who waits: no text of a server, no key. `code` names the
   * cause. `retryAt` is the Unix time in seconds of the next try, if one comes by itself; a later try may leave no record of its own.
   * `parked` says that nothing more happens until somebody releases the conversation. Holds until an event comes after it.
   */
  | { kind: "notice"; data: { code: string; message: string; retryAt?: number; parked?: true } }
  /**
   * A call gave work to an agent, which has a conversation of its own. `used` is there once the agent has ended or waits: what that
   * conversation has used so far; the last one of each conversation counts.
   */
  | { kind: "child"; data: { call: string; agent: string; conversation: string; background?: true; used?: ChildUse } }
  /**
   * The conversation is that of an agent which a call of another one has started, in the append of its first words. `agents` are the
   * names that lead to it from `root`, the conversation of a person.
   */
  | { kind: "parent"; data: { conversation: string; call: string; root: string; agents: readonly string[] } }
  /** A person named the conversation. The last record with a text counts. */
  | { kind: "title"; data: { text: string } }
  /**
   * A person named the point after the first `at` events of the log. The last record of a name counts; one with `at` 0 takes the name
   * back.
   */
  | { kind: "point"; data: { name: string; at: number } }
  /** What a step used. */
  | { kind: "usage"; data: Measure }
  /**
   * A run ended. Stored in the same append as the run's last usage, so that recovering a conversation whose run has ended
   * does nothing. `stop` says why the run ended if the model did not give a complete answer, `error` why it failed. A run
   * that may be recovered leaves none: after a failure, a deadline or a cancel. `failed` is for a host that gives it up.
   */
  | {
      kind: "run";
      data: {
        status: "completed" | "stopped" | "failed";
        stop?: { reason: string; message: string; context?: JsonObject };
        error?: { code: string; message: string };
      };
    };

/** Why a call might run. */
export interface Allowed {
  /**
   * - `approval`: a person said yes to `question`
   * - `rule`: a rule of the host, whose words are `rule`, and `from` where it stands, such as a file
   * - `mode`: the host is in a mode, named by `rule`, in which such calls run
   * - `policy`: the host's policy, which names no rule
   * - `read-only`: the tool changes nothing
   * - `tool`: the tool needs no question
   * - `client`: the client runs it, and decides itself
   */
  by: "approval" | "rule" | "mode" | "policy" | "read-only" | "tool" | "client";
  rule?: string;
  from?: string;
  question?: string;
}

/** What a conversation has used, with those below it. */
interface ChildUse {
  steps: number;
  /** As they count for a budget. */
  tokens: number;
  toolCalls: number;
  /** In the currency of the prices; absent without prices. */
  cost?: number;
}

export type RecordKind = RecordContent["kind"];

/** Shows that the writer of a record held a key. `key` is the name of the key, `mac` an HMAC made with it. */
export interface Proof {
  readonly key: string;
  /** 64 lower-case hexadecimal digits. */
  readonly mac: string;
}

/** The types of events that a store keeps (protocol.md §3). A store keeps records too. */
export type PersistedType = "user" | "think" | "call" | "result" | "respond" | "cancelled";

export type Persisted<E extends AgentEvent> = Extract<E, { type: PersistedType }>;

/** One entry of a log. */
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

/** Whether an event, or events of a type, belong in a store (protocol.md §3). Records do. */
export function isPersisted(type: string): type is LogEvent["type"];
export function isPersisted<E extends { type: string }>(event: E): event is Extract<E, { type: LogEvent["type"] }>;
export function isPersisted(event: string | { type: string }): boolean {
  return persistedTypes.has(typeof event === "string" ? event : event.type);
}
