import type { JsonObject, ToolCall } from "@cogency/protocol";
import type { ToolExecution } from "../execution.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { StopSignal } from "../stop-run.ts";
import type { Tool, ToolState } from "../tool.ts";

/**
 * Steers calls on their way through an executor. Hooks run by priority, each seeing what the ones before it made of the
 * call. One that throws, hangs or cannot be understood fails closed: before a call it blocks it, after a call the result is withheld.
 */
export interface ToolHook {
  /** Told wherever the hook did something, or broke its contract. */
  readonly name: string;
  /** Higher runs first, equals in the order in which they were given. Default: 0. */
  readonly priority?: number | undefined;
  /** Before the call is resolved, checked and approved, in call order. */
  beforeToolUse?(context: BeforeToolUse): BeforeToolUseEffect | undefined | Promise<BeforeToolUseEffect | undefined>;
  /**
   * After a body has ended, unless the run was cancelled, and before anybody else sees how: neither log nor observer has what it
   * replaces.
   */
  afterToolUse?(context: AfterToolUse): AfterToolUseEffect | undefined | Promise<AfterToolUseEffect | undefined>;
}

export type HookTrigger = "beforeToolUse" | "afterToolUse";

interface HookContext {
  /** As the batch began; in a sequential batch with the patches of the calls before. */
  readonly state: ToolState;
  readonly conversation: string;
  readonly user: string | undefined;
  /** Aborts when the batch does, and when the hook has taken too long. */
  readonly signal: AbortSignal;
}

export interface BeforeToolUse extends HookContext {
  /** As the hooks before left it. Frozen; its arguments are not checked yet. */
  readonly call: LoggedCall;
  /** Absent when no tool has the name. */
  readonly tool: Tool | undefined;
}

export interface AfterToolUse extends HookContext {
  readonly execution: ToolExecution;
  readonly tool: Tool;
}

/** What a hook returns to change something. */
export interface BeforeToolUseEffect extends RunEffect {
  /** What to call instead: another tool, other arguments, or both. */
  call?: Partial<Pick<ToolCall, "name" | "args">> | undefined;
  /** The call does not run; the model is told this reason. Hooks after this one do not see the call. */
  block?: string | undefined;
}

export interface AfterToolUseEffect extends RunEffect {
  /** What the call gave instead, as far as anybody else will ever know. */
  replace?: { value: unknown } | { error: Error } | undefined;
}

interface RunEffect {
  /** Changes the run's metadata, for calls and steps to come. Patches of a batch are merged in call order. */
  patch?: MetadataPatch | undefined;
  /** Ends the run after this batch. */
  stop?: StopSignal | undefined;
}

/**
 * Properties to set, or a function that makes them of the metadata as the patches before left it: of a copy that nothing
 * can change, as in `state`.
 */
export type MetadataPatch = JsonObject | ((metadata: JsonObject) => JsonObject);
