import type { Attachment, JsonObject, RunEvent, ToolCall } from "@cogency/protocol";
import type { Prices, Provider } from "@cogency/provider";
import type { Lease, Store } from "@cogency/storage";
import type {
  AnswerRequest,
  ApprovalAnswer,
  ApprovalRequest,
  Content,
  ExecutorOptions,
  KeyRing,
  Tool,
  ToolSource,
} from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import type { Driver, RequestSettings } from "./drivers/driver.ts";
import type { History } from "./history/history.ts";
import type { AgentHook } from "./hooks/agent-hook.ts";
import type { InstructionsOfRun } from "./instructions-of-run.ts";
import type { ToolSearch } from "./search/tool-finder.ts";
import type { RunListener } from "./timeline/listeners.ts";

/** `T` is the union of the agent's tools, which `createAgent` infers. */
export interface AgentOptions<T extends Tool = Tool> {
  /** The model, such as `openai({ model: "gpt-5.5" })`. */
  provider: Provider;
  /** There is no such option: the provider has the model. Write `provider: openai({ model: "gpt-5.5" })`. */
  model?: never;
  /**
   * The tools that the model may call. Defaults to none. Tools with names that TypeScript knows type the events and questions
   * of the agent's runs: `event.name === "refund"` narrows `event.args`.
   */
  tools?: readonly T[] | undefined;
  /**
   * Where further tools come from, which may change between two steps, such as those of servers. Each step of a run offers what its
   * sources have as it begins. Defaults to none.
   */
  sources?: readonly ToolSource[] | undefined;
  /**
   * Lets the model find tools by words where there are many: `toolSearch()` of `@cogency/agent/tool-search`. Defaults to none: the
   * model is offered all tools.
   */
  toolSearch?: ToolSearch | undefined;
  /** Where conversations are kept. Defaults to a store in memory, which loses them when the process ends. */
  store?: Store | undefined;
  /**
   * Other models, in the order in which they take over when one is down: it cannot be reached, refuses the key, is overloaded, or its
   * answer breaks off. The run goes on over the same log, and keeps what was shown; the next run begins with `provider` again.
   * `request.model` and `request.options` are for `provider` alone. Defaults to none.
   */
  fallback?: readonly Provider[] | undefined;
  /**
   * How the model is asked, or a function that says it for each provider, such as `auto()`. Defaults to the text protocol in its JSON
   * dialect.
   */
  driver?: Driver | ((provider: Provider) => Driver) | undefined;
  /**
   * - `"replay"`: each model request holds the whole conversation, assembled from the store
   * - `"resume"`: a run keeps a session with the provider and sends only what is new. If the session and the log may
   *   differ, it is opened anew from the log.
   * - `"auto"`, the default: `"resume"` if the provider has sessions, without a session if none can be opened
   */
  mode?: "auto" | "replay" | "resume" | undefined;
  /** Who the model is: the first lines of the system prompt. */
  identity?: string | undefined;
  /** Instructions for the model; they follow `identity`. */
  instructions?: string | undefined;
  /**
   * What `identity` and `instructions` hold: private content, such as the text of a file, or untrusted content that no person vouches for.
   * Every conversation holds it from its next run on. Defaults to nothing.
   */
  instructionsHold?: readonly Content[] | undefined;
  /**
   * What follows the instructions in each run, and is asked for when the run begins. Of several, each gives its own part. Defaults to
   * none.
   */
  instructionsOfRun?: InstructionsOfRun | readonly InstructionsOfRun[] | undefined;
  /**
   * What requests show of a conversation that grows: `compaction()`, `slidingWindow()` or `transform()` of `@cogency/agent/history`, or
   * several of them. Defaults to none: each request holds the whole conversation, until the provider refuses it.
   */
  history?: History | readonly History[] | undefined;
  /** Limits of each run. */
  budget?: Budget | undefined;
  /** How calls run: approval, hooks, concurrency, limits. */
  execution?: ExecutionOptions | undefined;
  /**
   * Called at the points of each run: before and after steps, requests, calls and the run itself. They may choose the model and the
   * tools of a step, stop the run or let it go on. Defaults to none.
   */
  hooks?: readonly AgentHook[] | undefined;
  /** Settings of every model request. */
  request?: RequestSettings | undefined;
  /**
   * Stores a `request` record with each answer: what the model was asked, so that a trace shows each request as it was sent. The
   * log then holds the system prompt and the native tools, once per change. Defaults to false.
   */
  recordRequests?: boolean | undefined;
  /** Limits of attachments: images and other files of prompts, messages and results. */
  attachments?: AttachmentOptions | undefined;
  /** Prices of models. Without the price of the model, metrics and results have no `cost`. */
  prices?: Prices | undefined;
  /**
   * Signs answers to questions for approval, and the beginning of each conversation. An answer that it cannot verify is
   * asked for again; a conversation that it cannot verify counts as holding untrusted and private content. Defaults to a
   * random ring of this process, which verifies nothing that another process signed.
   */
  keyRing?: KeyRing | undefined;
  /**
   * What becomes of a question that nobody here can answer: `"wait"`: the run ends with the status `waiting`, the question is
   * stored, and `recover` goes on once it is answered. `"deny"`: the call is denied, and a question of a tool fails. By default `"wait"` if `store` and
   * `keyRing` are given, so that an answer can be kept and verified by another process; else `"deny"`.
   */
  whenUnanswered?: "wait" | "deny" | undefined;
  /** What the agent's conversations belong to, such as a project's folder. Stored in their `origin` record. */
  scope?: string | undefined;
  /** The lease that makes a run the only writer of its conversation. */
  lease?: AgentLeaseOptions | undefined;
  /**
   * Whether runs show what they are writing to whoever follows the conversation with `store.live`, in this process or another one: text,
   * thinking, arguments and progress of calls, before they are stored. It costs nothing while nobody does. Defaults to true.
   */
  live?: boolean | undefined;
  /** Returns Unix time in seconds. Defaults to the system's clock. */
  clock?: (() => number) | undefined;
  /**
   * Called once, by the first run that nobody answers for, with the tools that the model is not offered in such runs: each of
   * their calls would need approval. Called once for each thing that is wrong with a source of tools, too, and by `createAgent`, too, for a `store` that lasts without a `keyRing`. Defaults to
   * `console.warn`.
   */
  warn?: ((message: string) => void) | undefined;
}

/** What base64 text may hold; an address counts as no bytes. */
export interface AttachmentOptions {
  /** Bytes of one attachment. Defaults to 20 MiB. */
  maxBytes?: number | undefined;
  /** Bytes of all attachments of a conversation, which each of its requests holds. Defaults to 50 MiB. */
  maxRequestBytes?: number | undefined;
}

/** A text, or a text with attachments. */
export type RunPrompt = string | { text: string; attachments?: readonly Attachment[] | undefined };

/**
 * Options of the executor. The agent makes its registry and key ring from `tools` and `keyRing`, tells what happens to calls
 * on the timeline of the run, and checks hooks strictly.
 */
export type ExecutionOptions = Omit<ExecutorOptions, "registry" | "keyRing" | "observer" | "attachments">;

/**
 * A run takes a lease of its conversation before it reads the log, renews it while it works, and releases it when it ends.
 */
export interface AgentLeaseOptions {
  /**
   * Milliseconds after which another run may take the conversation if this process has died, where the store does not know that earlier.
   * The run renews the lease after each third of this time. Defaults to 12,000.
   */
  ttl?: number | undefined;
  /**
   * The name that other writers read in LeaseHeldError. The name of a run is this one, "#", and random characters.
   * Defaults to the name that the store has for this process (`Store.owner`), by which it may find that the process has died; without
   * one, to a random name.
   */
  owner?: string | undefined;
  /**
   * Called with the name of a run that holds the lease, as in LeaseHeldError. If it returns true, that run counts as dead
   * and this run takes its lease over at once. A run that still works would lose its lease, and may fail. By default
   * no run counts as dead.
   */
  isGone?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

/**
 * Limits of a run. `Infinity` lifts one. The defaults end a run that has lost its way; a job of 100 steps with a context of 100,000 tokens
 * stays below half of each. Before each request is made, its input (as the provider has counted it, and an estimate of
 * what is new) and `request.maxOutputTokens` (4,096 if it is not set) must fit into what is left of the tokens and of the cost.
 */
export interface Budget {
  /** Steps that one run may take: each asks the model. Defaults to 200. */
  steps?: number | undefined;
  /**
   * New tokens of one run: all output, and of the input of each request only what it holds more than the request before it, also than
   * the last one of an earlier run. What is sent again counts once, whether a cache has it or not; `cost` counts it each time.
   * Defaults to 2,000,000.
   */
  tokens?: number | undefined;
  /**
   * What the requests of one run may cost, in the currency of `prices`. Defaults to the price of 20,000,000 tokens of input and
   * 2,000,000 of output where that of the model is known: a number of large requests, in any currency. A limit that is given needs the
   * price of every model that the run may ask.
   */
  cost?: number | undefined;
  /** Calls that one run may make. A block that holds more than are left is refused as a whole. Defaults to 1,000. */
  toolCalls?: number | undefined;
  /**
   * Seconds that one run may take, by the real clock. Then the model request and the tools are aborted, and the run is interrupted
   * (`time_limit`): `recover` goes on with it. Time in which a question to a person stands does not count. Defaults to 10,800: three
   * hours.
   */
  seconds?: number | undefined;
  /** Limits of the whole conversation, of what all its runs have used by the log. By default there are none. */
  conversation?: ConversationBudget | undefined;
  /** Consecutive answers of the model that cannot be used, after which the run fails. Defaults to 3. */
  failures?: number | undefined;
  /**
   * How often batches with the same calls and the same results may come in a row, after which the run stops: one batch, or a cycle of up
   * to 16, such as two that alternate. Defaults to 3.
   */
  repeats?: number | undefined;
  /**
   * Failed calls in a row, whatever their arguments, after which the run stops; no call of that stretch succeeded. The model is told
   * at half of them, and always before the run stops. Defaults to 8.
   */
  failedCalls?: number | undefined;
  /** Steps that hooks may ask for where the run would end (`continue`), after which it stops. Defaults to 3. */
  continuations?: number | undefined;
  /** Calls that one batch may hold. A larger block is refused as a whole, and the model reads why. Defaults to 1,000; never more than 10,000. */
  calls?: number | undefined;
}

/**
 * Limits of a conversation, over all its runs. What was stored without a cost counts at the price of the model that the run begins
 * with.
 */
export interface ConversationBudget extends Pick<Budget, "steps" | "tokens" | "cost" | "toolCalls"> {}

/** `Call` is the union of the calls that the agent's tools may have. */
export interface RunOptions<Call extends ToolCall = ToolCall> {
  /** The conversation to continue, or to begin under this name. Defaults to a new one with a random name. */
  conversation?: string | undefined;
  /** The owner of the conversation. Two users may use the same name of a conversation. */
  user?: string | undefined;
  /**
   * - `"token"`: pieces as they arrive
   * - `"event"`, the default: whole units
   * - `null`: one non-streaming model request a step, events as in `"event"` (protocol.md §3)
   */
  stream?: "token" | "event" | null | undefined;
  /**
   * - `"all"`: the run yields {@link RunEvent}s: also requests, calls as they begin, progress and end, questions, and how the
   *   run ended
   * - `"protocol"`, the default: only the events of the protocol
   */
  events?: "all" | "protocol" | undefined;
  /** Hears every event of this run, whatever `events` is. */
  on?: RunListener<RunEvent<Call>> | undefined;
  /**
   * Asks a person about the calls of this run. Takes the place of `execution.approval.approve`. `request.call.name` narrows
   * `request.call.args`.
   */
  approve?:
    | ((request: ApprovalRequest<Call>) => boolean | ApprovalAnswer | Promise<boolean | ApprovalAnswer>)
    | undefined;
  /**
   * Puts a question of a tool (`context.ask`) to a person. What it returns is the answer; one that does not fit the question's schema
   * is asked for again, at most three times in all.
   */
  answer?: ((request: AnswerRequest<Call>) => unknown) | undefined;
  /** Limits of this run. What is not given here is as in the agent's `budget`. */
  budget?: Budget | undefined;
  /**
   * Called between two steps where a limit of the budget would end the run: steps, tokens, cost, calls or time. It may ask a person,
   * for as long as that takes. The run goes on with the limits that it returns in place of those that it had; without any it ends. It is
   * asked once for a limit before each step, and if it throws, the run fails with `hook`.
   *
   * With it, `budget.seconds` breaks nothing off, does not count while it waits, and the model does not read that little is left.
   */
  atLimit?: ((reached: LimitReached) => Budget | undefined | Promise<Budget | undefined>) | undefined;
  /**
   * Where the prompt came from, such as "piped input", if no person wrote it or vouches for it. The conversation then holds
   * untrusted content from there.
   */
  untrusted?: string | undefined;
  /**
   * Where private text in the prompt came from, such as "notes.txt", if it holds some. The conversation then holds private content from
   * there, as after a tool has read it.
   */
  private?: string | undefined;
  /**
   * Cancels the run when it aborts. If the reason is a TimeoutError, as with `AbortSignal.timeout`, it is a deadline: the
   * run is interrupted, not cancelled, and `recover` continues it.
   */
  signal?: AbortSignal | undefined;
  /**
   * When it aborts, the run is interrupted before its next step, as by a deadline but with nothing broken off: no request and no
   * tool is aborted. `recover` goes on, in this process or in another one. To end at once, use `signal`.
   */
  handOver?: AbortSignal | undefined;
  /**
   * A lease of this conversation that the caller took from the store of the agent, renews and releases, for several runs in
   * a row. By default the run takes one of its own. Once it is lost, the run fails with `store`.
   */
  lease?: Lease | undefined;
  /** Passed to tools in their context. */
  metadata?: JsonObject | undefined;
}

/** A limit that would end a run. */
export interface LimitReached {
  /** What the result of the run would say. */
  readonly stop: StopSignal;
  /** What the run has used. Without `cost` the price of a model is unknown. */
  readonly used: {
    readonly steps: number;
    readonly tokens: number;
    readonly toolCalls: number;
    /** Real time, except while a person was asked. */
    readonly seconds: number;
    readonly cost?: number;
  };
  readonly conversation: string;
  readonly user?: string;
  /** Aborts with the run. */
  readonly signal: AbortSignal;
}

/** Options of `object`. */
export type ObjectOptions<Call extends ToolCall = ToolCall> = Omit<RunOptions<Call>, "stream" | "events">;

/** Options of `recover`. */
export type RecoverOptions<Call extends ToolCall = ToolCall> = Omit<RunOptions<Call>, "untrusted" | "private"> & {
  conversation: string;
  /** Whether to wait while another run holds the conversation, instead of failing with `busy`. Defaults to false. */
  wait?: boolean | undefined;
  /**
   * Whether a conversation that was cancelled stays so, unless a prompt waits in its inbox: for a caller that goes on with what is due,
   * and whom no person asked to continue. Defaults to false.
   */
  leaveCancelled?: boolean | undefined;
};
