import type { RunEvent, ToolCall } from "@cogency/protocol";
import type { MessageContent } from "@cogency/storage";
import type { CallOf, Tool, ToolInput, ToolSource } from "@cogency/tools";
import type { InferAnswer } from "@cogency/tools/host";
import type { ObjectOptions, RecoverOptions, RunOptions, RunPrompt } from "./agent-options.ts";
import type { Capability } from "./capability.ts";
import type { ForkOptions } from "./fork.ts";
import type { SendOptions } from "./inbox/send.ts";
import type { SweepOptions } from "./inbox/sweep.ts";
import type { ObjectRun } from "./object/object-run.ts";
import type { Run, RunResult } from "./run.ts";
import type { RunListener, TraceOf } from "./timeline/listeners.ts";

/** The calls of tools that come from sources: of any name, with any arguments. */
export type SourceCall<From> = [From] extends [readonly ToolSource[]] ? ToolCall : never;

/** Options of a run that yields everything. */
type AllEvents = { events: "all" };

/**
 * `Call` is the union of the calls that the agent's tools may have. It types their events: the name of a call that has passed
 * its checks narrows its arguments (`tool_started`, `approval_requested`, `tool_ended` with `started`). Without it, as for an agent
 * whose tools are a `Tool[]`, a name is any string and the arguments are a JSON object.
 */
export interface Agent<Call extends ToolCall = ToolCall> {
  /** What its conversations belong to, as in its options. */
  readonly scope: string | undefined;
  /**
   * Sends a prompt to the agent, which works until it has answered.
   *
   * @throws TypeError, RangeError for malformed attachments, and ones above `attachments.maxBytes`
   */
  run(prompt: RunPrompt, options: RunOptions<Call> & AllEvents): Run<RunEvent<Call>>;
  run(prompt: RunPrompt, options?: RunOptions<Call>): Run;
  /** As `run`, for the answer alone. Never rejects for a run that failed: `status` and `error` of the result say so. */
  ask(prompt: RunPrompt, options?: RunOptions<Call>): Promise<RunResult>;
  /**
   * Sends a prompt whose answer must fit a schema: any Standard Schema whose library makes JSON Schema, or plain JSON Schema. The model
   * may call tools first. An answer that does not fit is not the end: the model reads what is wrong, and answers again
   * (`budget.failures` times in a row at most).
   *
   * @throws TypeError for a schema that gives no JSON Schema
   */
  object<const Schema extends ToolInput>(
    prompt: RunPrompt,
    schema: Schema,
    options?: ObjectOptions<Call>,
  ): ObjectRun<InferAnswer<Schema>>;
  /** Continues a conversation after a crash, a deadline or a cancel, without a new prompt. */
  recover(options: RecoverOptions<Call> & AllEvents): Run<RunEvent<Call>>;
  recover(options: RecoverOptions<Call>): Run;
  /**
   * Begins a conversation with the first events of another one, whole or not at all: to try another way without losing this one. Both
   * go on by themselves.
   *
   * The fork keeps what is known of untrusted and private content. It has no approvals, open questions and answers, and no unread
   * messages. Needs no lease: a run may hold the conversation.
   *
   * @returns the name of the new conversation
   * @throws RangeError for a conversation without events, an `as` that has some, and an `at` outside of the log or inside of an open
   * batch of calls, with the nearest points that are allowed; StoreError; RunError `key_ring`
   */
  fork(conversation: string, options?: ForkOptions): Promise<string>;
  /**
   * Posts a message to a conversation, signed with the agent's key ring. Needs no run and no lease: any process with this store and
   * ring may send.
   *
   * - `steer`: the model reads it in its next request
   * - `prompt`: the next turn; the run goes on with it once it has answered. With `tools` the client brings tools for it, which it runs
   *   itself: a call is a question with `client`, and an `answer` of `{ output }` or `{ error }` settles it
   * - `notice`: words of the program, or with a `source` of something outside, not the person's; the model reads them in its next request,
   *   or they begin a turn unless `wakes` is false. Those that are read at one moment are one event; what has a `source` is bounded
   * - `approve`, `deny`: settles a question for approval, wherever it was asked; the model reads the `reason` of a refusal
   * - `answer`: answers a question of a tool; one that does not fit the schema is refused, and the question stands
   * - `cancel`: ends the run; releases the conversation if it is parked (unless it is sent for later, with `at`)
   *
   * A conversation without a run takes its messages when it is recovered.
   *
   * @returns the id of the message
   * @throws StoreError `conflict` if the id belongs to another message; TypeError, RangeError for attachments, as `run`, for tools and for
   *   fields of a notice;
   *   ToolError `name_taken` for a tool of a name that the agent's own tools have
   */
  send(
    to: { conversation: string; user?: string | undefined },
    message: MessageContent,
    options?: SendOptions,
  ): Promise<string>;
  /**
   * Goes on with every conversation of this agent's scope that is due, until each is idle or waits: for messages in its inbox, for a
   * run whose process has died (its lease has ended), for a timer (`store.wake`). A run that was cancelled stays so. Enough where no
   * worker runs.
   *
   * A run that fails leaves no `notice`, waits no longer from try to try, and is never parked: which failures pass by themselves, how
   * long to wait and when to give up is decided by a worker (`createWorker`), which is above this package.
   *
   * @returns when the next conversation is due: Unix time in milliseconds by the clock of the store; undefined if none is
   */
  sweep(options?: SweepOptions): Promise<number | undefined>;
  /**
   * Makes an agent that also has the tools, tool sources, hooks and instructions of a capability. It shares the store, the key ring and the
   * listeners of this one, which stays as it is.
   *
   * @throws TypeError for a capability that the agent has, or that brings a tool or a tool source of a name that the agent has
   */
  use<T extends Tool = never, From extends readonly ToolSource[] | undefined = undefined>(
    capability: Capability<T> & { sources?: From },
  ): Agent<Call | CallOf<T> | SourceCall<From>>;
  /**
   * Hears the events of this type, or with `"*"` all events, of every run of this agent: the same objects in the same order as a
   * run with `events: "all"`. What the listener throws is ignored.
   *
   * @returns removes the listener
   */
  on<T extends RunEvent["type"]>(type: T, listener: RunListener<Extract<RunEvent<Call>, { type: T }>>): () => void;
  on(type: "*", listener: RunListener<RunEvent<Call>>): () => void;
  /**
   * Keeps the trace of each turn in the log, so that a run which goes on with it in another process finds it in `run_started`. `traceOf`
   * is called after `run_started`, when the first words of a turn are stored. `traceAgent` of `@cogency/otel` uses it.
   *
   * @returns ends it
   */
  keepTrace(traceOf: TraceOf): () => void;
}
