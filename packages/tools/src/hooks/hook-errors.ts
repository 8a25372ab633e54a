import { messageOf } from "../message-of.ts";
import type { HookTrigger } from "./tool-hook.ts";

/** A hook threw, took too long, or its patch failed. The `cause` is what it threw. */
export class HookFailedError extends Error {
  override readonly name = "HookFailedError";
  readonly code = "hook_failed";
  readonly hook: string;
  readonly trigger: HookTrigger;

  constructor(hook: string, trigger: HookTrigger, thrown: unknown) {
    const consequence = trigger === "afterToolUse" ? "The tool ran, but its result is withheld: " : "";
    const message = messageOf(thrown);
    const options = message === undefined ? undefined : { cause: thrown };
    super(`${consequence}the hook ${JSON.stringify(hook)} failed${message ? `: ${message}` : "."}`, options);
    this.hook = hook;
    this.trigger = trigger;
  }
}

/** A hook returned what its trigger does not admit. Thrown only where hooks are checked strictly. */
export class HookContractError extends Error {
  override readonly name = "HookContractError";
  readonly code = "hook_contract";
  readonly hook: string;
  readonly trigger: HookTrigger;
  /** What it may not return, or not in this form, such as `call.id`. */
  readonly field: string;

  constructor(hook: string, trigger: HookTrigger, field: string) {
    super(
      `The hook ${JSON.stringify(hook)} broke its contract at ${trigger}: ${field} is not what this trigger admits.`,
    );
    this.hook = hook;
    this.trigger = trigger;
    this.field = field;
  }
}
