import type { Json, JsonObject, LogEvent, ToolCall, ToolSpec, Usage } from "@cogency/protocol";
import type { LoggedCall } from "./logged-call.ts";
import type { Question } from "./questions/question.ts";
import type { InferAnswer, ToolInput } from "./schema/infer-args.ts";
import type { Validation } from "./validation.ts";

/**
 * A tool, as the registry and the executor use it. Made by `defineTool`.
 *
 * `Name` and `Args` type its calls in the events of an agent. A `Tool` without them is any tool, and every tool fits it.
 */
export interface Tool<Name extends string = string, Args extends JsonObject = JsonObject> {
  readonly name: Name;
  readonly description: string;
  /** The description that the model reads. */
  readonly spec: ToolSpec;
  readonly annotations: ToolAnnotations;
  /**
   * Who has defined it, where that is not the program: a name that stands for one server and no other, such as
   * `https://mcp.example.com/mcp`. An approval of a call holds only for this definition from there.
   */
  readonly definedBy?: string;
  /** Milliseconds that one call may take. Defaults to the limit of the executor. */
  readonly timeout?: number;
  /** Bytes of one result that the model may see. Defaults to the limit of the executor. */
  readonly maxResultBytes?: number;
  /**
   * Its calls run, ask, or are denied, where the host has no rule about them; see `ApprovalRules`. `"allow"` is for a tool that
   * touches nothing but what the agent itself has begun, with approval: content from strangers speaks not against it.
   */
  readonly approval?: "allow" | "ask" | "deny";
  /** Its body asks a person (`ToolContext.ask`). */
  readonly asks?: boolean;
  /**
   * The client of the conversation runs its calls: what its body asks is a question to the client, and waits for it also where a person
   * is there. A call needs no approval, unless a hook wants it; the policy of the host may deny it.
   */
  readonly client?: true;
  /** Milliseconds that the body may take to end after its signal has aborted, up to 400. Defaults to 50. */
  readonly grace?: number;
  /** Checks arguments and returns what `execute` receives. Never throws. */
  validate(args: JsonObject): Validation | Promise<Validation>;
  /**
   * The resources that a call with these (validated) arguments touches. Calls that share a key run in call order. Without
   * it, the calls of a parallel batch run side by side even if they write to the same file.
   */
  resource?(args: unknown): Resource | Promise<Resource>;
  /** Why a call with these arguments asks even if its tool is allowed: sentences for the person who is asked. */
  cautions?(args: unknown): readonly string[] | Promise<readonly string[]>;
  /**
   * The content that the result of a call with these arguments brings into the conversation. Called twice, with the same
   * object that `execute` gets. Before the body it returns everything that may come, which counts if the body does not end
   * in time. After the body has ended, also with an error, it returns what has come, which counts then. Without it a tool
   * with `openWorldHint` brings untrusted content, any other tool none.
   */
  brings?(args: unknown): readonly Content[];
  /** Whether a call with these arguments reaches beyond this machine. Defaults to `openWorldHint`. */
  reachesOut?(args: unknown): boolean;
  /**
   * Runs the call. `args` are what `validate` returned. A thrown error is a failure with its message. If it returns a
   * generator, each `yield` is progress, and the value that the generator returns is the result.
   */
  execute(args: unknown, context: ToolContext): unknown;
  /**
   * Says what became of a call that an earlier run began, and of whose end nothing is known, because the process died: whether it took
   * effect. `args` are those that ran, as `validate` returns them. It must have no effect itself. Asked by `recover`, and
   * by a run that begins after the crash; never while the body runs in this run. If it throws, takes longer than the call may or than two
   * minutes, or gives no outcome, the outcome stays unknown, and the model reads why.
   */
  verify?(args: unknown, context: VerifyContext): CallOutcome | Promise<CallOutcome>;
  /** Never there: it carries the type of {@link CallArgs}, and no value. */
  readonly "~args"?: Args | undefined;
}

/**
 * The calls of a tool, or of a union of tools, as events and questions show them.
 *
 * @example
 * type Event = RunEvent<CallOf<typeof lookup | typeof refund>>;
 */
export type CallOf<T extends Tool> = T extends Tool<infer Name, infer Args> ? ToolCall<Name, Args> : never;

/** The key of a resource, such as `file:/srv/notes.md`, or several keys; undefined for a call that touches nothing shared. */
export type Resource = string | readonly string[] | undefined;

/** Content of a conversation that approval heeds: text that no person vouched for, or private text. */
export interface Content {
  readonly holds: "untrusted" | "private";
  /** Where it came from, for a person to read: `scrape https://example.com/a`. */
  readonly source: string;
}

/** Hints with the names of MCP. The author of the tool claims them; approval policies read them. */
export interface ToolAnnotations {
  /**
   * Changes nothing. Such calls run without a question by default, beside others of the same resource, before their block
   * has closed (`earlyStart`), and again after a crash. A tool that sets it and has effects may have them twice or unapproved.
   */
  readonly readOnlyHint?: boolean;
  /** May destroy existing data. For approval rules. */
  readonly destructiveHint?: boolean;
  /** A second call with the same arguments changes nothing more. After a crash, `recover` runs such a call again. */
  readonly idempotentHint?: boolean;
  /** Reaches beyond this machine. Its results are untrusted content, unless the tool has a `brings` of its own. */
  readonly openWorldHint?: boolean;
}

/** The context of a running call. Anything else that a tool needs, its closure holds. */
export interface ToolContext {
  readonly call: LoggedCall;
  /**
   * Aborts when the run is cancelled or the call exceeds its timeout. A body that ignores it is abandoned after the `grace`
   * of its tool: a later call of the same resource no longer waits for it.
   */
  readonly signal: AbortSignal;
  readonly state: ToolState;
  readonly conversation: string;
  readonly user: string | undefined;
  /** Reports progress to observers. */
  progress(update: Json): void;
  /** Asks a person; for tools with `asks: true`. */
  readonly ask: Ask;
  /** What the host of the executor gives to tools that work with it, as `BatchContext.host`. */
  readonly host?: unknown;
}

/**
 * Asks a person, and resolves with the answer once it fits the schema and is stored. The time until then does not count for the
 * limit of the call.
 *
 * Where nobody is there and questions wait, the call is left: `signal` aborts, and the promise rejects. When the question has its
 * answer, the body runs again from the top, in this process or another, and `ask` gives the earlier answers at once. So an effect
 * before the last question may come twice: ask first, then act.
 *
 * @throws ToolError `left`, `unanswered`, `answer_failed`; TypeError without `asks: true`, or for a schema that no person
 *   could be shown; the reason of the signal after an abort
 */
export interface Ask {
  /** Asks for a text. */
  (question: Question & { schema?: undefined }): Promise<string>;
  <const Schema extends ToolInput>(question: Question<Schema> & { schema: Schema }): Promise<InferAnswer<Schema>>;
}

/** The context of a tool that is asked what became of a call. Its id is that of the call as it ran. */
export type VerifyContext = Pick<ToolContext, "call" | "signal" | "conversation" | "user">;

/**
 * What became of a call that had begun when a run broke off.
 *
 * - `done`: it took effect; `value` is its result
 * - `not_done`: it had no effect, and will have none. The call runs again.
 * - `unknown`: the model is told that it may have completed, or the call runs again if its tool claims that repeating it changes
 *   nothing more
 */
export type CallOutcome = { outcome: "done"; value: unknown } | { outcome: "not_done" } | { outcome: "unknown" };

/** The state of the run when the batch began: a frozen copy. */
export type ToolState = Readonly<{
  events: readonly LogEvent[];
  metadata: JsonObject;
  step: number;
  usage: Usage;
}>;
