import { messageOf } from "../message-of.ts";
import type { HookTrigger } from "./tool-hook.ts";

/** A hook threw, took too long, or its patch failed. The `cause` is what it threw. */
export class HookFailedError extends Error {
  override readonly name = "HookFailedError";
  readonly code = "hook_failed";
  readonly hook: string;
  readonly trigger: HookTrigger;

  /** @param failed the hook itself, or only its patch: then the call goes on, and the metadata stays as it was */
  constructor(hook: string, trigger: HookTrigger, thrown: unknown, failed: "hook" | "patch" = "hook") {
    const message = messageOf(thrown);
    const options = message === undefined ? undefined : { cause: thrown };
    super(`${consequences[failed][trigger]} ${JSON.stringify(hook)} failed${message ? `: ${message}` : "."}`, options);
    this.hook = hook;
    this.trigger = trigger;
  }
}

const unchanged = "The metadata stays as it was: the patch of the hook";
const consequences = {
  hook: { beforeToolUse: "the hook", afterToolUse: "The tool ran, but its result is withheld: the hook" },
  patch: { beforeToolUse: unchanged, afterToolUse: unchanged },
};

/** A hook returned something that its trigger does not admit. Thrown only with `hookChecks: "strict"`. */
export class HookContractError extends Error {
  override readonly name = "HookContractError";
  readonly code = "hook_contract";
  readonly hook: string;
  readonly trigger: HookTrigger;
  /** The path of the inadmissible part, such as `call.id`. */
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
