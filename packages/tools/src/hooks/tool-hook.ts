import type { JsonObject, ToolCall } from "@cogency/protocol";
import type { ToolExecution } from "../execution.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { StopSignal } from "../stop-run.ts";
import type { Tool, ToolState } from "../tool.ts";

/**
 * Called before and after each call of an executor. Hooks run by priority; each sees the changes of the ones before it. A
 * hook that throws, takes too long or returns an impossible call fails closed: before a call it blocks the call, after a call
 * it withholds the result.
 */
export interface ToolHook {
  /** Messages and errors name the hook by it. */
  readonly name: string;
  /** A higher priority runs first; equal ones run in the given order. Defaults to 0. */
  readonly priority?: number | undefined;
  /** Called in call order, before the tool is found, the arguments are checked and the call is approved. */
  beforeToolUse?(context: BeforeToolUse): BeforeToolUseEffect | undefined | Promise<BeforeToolUseEffect | undefined>;
  /**
   * Called after a body has ended, unless the run was cancelled. Log and observers get the execution only after all hooks: a
   * result that a hook replaces is stored and shown nowhere.
   */
  afterToolUse?(context: AfterToolUse): AfterToolUseEffect | undefined | Promise<AfterToolUseEffect | undefined>;
}

export type HookTrigger = "beforeToolUse" | "afterToolUse";

/** What a hook knows of the run. */
export interface HookContext {
  /** The state when the batch began; in a sequential batch with the patches of earlier calls. */
  readonly state: ToolState;
  readonly conversation: string;
  /** For an agent that a call has started: the conversation of a person to which its own belongs. */
  readonly root?: string | undefined;
  readonly user: string | undefined;
  /** Aborts when the batch does, or when the hook takes too long. */
  readonly signal: AbortSignal;
}

export interface BeforeToolUse extends HookContext {
  /** The call as earlier hooks left it. Frozen; its arguments are not checked yet. */
  readonly call: LoggedCall;
  /** Undefined if no tool has the name. */
  readonly tool: Tool | undefined;
}

export interface AfterToolUse extends HookContext {
  readonly execution: ToolExecution;
  readonly tool: Tool;
}

/** Returned by a hook to change the call, to block it, or to change the run. */
export interface BeforeToolUseEffect extends RunEffect {
  /** Replaces the name, the arguments, or both. */
  call?: Partial<Pick<ToolCall, "name" | "args">> | undefined;
  /** Blocks the call; the model reads this reason. Later hooks do not see the call. */
  block?: string | undefined;
  /** Why a person is asked about the call, whatever allows it. One sentence; later hooks see the call nevertheless. */
  ask?: string | undefined;
  /**
   * What the call ends with in place of its body, which does not run: a kept or a recorded result. The call is checked, approved and
   * stored as every other one. Later hooks see it nevertheless; the last answer counts.
   */
  answer?: HookAnswer | undefined;
}

/** What a body would return, with its attachments as `withAttachments` makes them, or throw. */
export type HookAnswer = { value: unknown } | { error: Error };

export interface AfterToolUseEffect extends RunEffect {
  /** Replaces the result, with its attachments, everywhere it is stored or shown. */
  replace?: HookAnswer | undefined;
}

interface RunEffect {
  /** Changes the metadata of the run for later calls and steps. Patches of a batch are merged in call order. */
  patch?: MetadataPatch | undefined;
  /** Ends the run after this batch. */
  stop?: StopSignal | undefined;
}

/**
 * Properties to set, or a function that returns them. The function gets a frozen copy of the metadata with all earlier
 * patches.
 */
export type MetadataPatch = JsonObject | ((metadata: JsonObject) => JsonObject);
