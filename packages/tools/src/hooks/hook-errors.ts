import { messageOf } from "../message-of.ts";

/** A hook threw, took too long, or its patch failed. The `cause` is what it threw. */
export class HookFailedError extends Error {
  override readonly name = "HookFailedError";
  readonly code = "hook_failed";
  readonly hook: string;
  /** Where it failed, such as `beforeToolUse`. */
  readonly trigger: string;

  /** @param failed the hook itself, or only its patch: then the metadata stays as it was */
  constructor(hook: string, trigger: string, thrown: unknown, failed: "hook" | "patch" = "hook") {
    const message = messageOf(thrown);
    const options = message === undefined ? undefined : { cause: thrown };
    super(`${consequenceOf(trigger, failed)} ${JSON.stringify(hook)} failed${message ? `: ${message}` : "."}`, options);
    this.hook = hook;
    this.trigger = trigger;
  }
}

function consequenceOf(trigger: string, failed: "hook" | "patch"): string {
  if (failed === "patch") return "The metadata stays as it was: the patch of the hook";
  if (trigger === "beforeToolUse") return "the hook";
  return trigger === "afterToolUse" ? "The tool ran, but its result is withheld: the hook" : `At ${trigger}, the hook`;
}

/** A hook returned something that its trigger does not admit. An executor throws it only with `hookChecks: "strict"`. */
export class HookContractError extends Error {
  override readonly name = "HookContractError";
  readonly code = "hook_contract";
  readonly hook: string;
  /** Where it was called, such as `beforeToolUse`. */
  readonly trigger: string;
  /** The path of the inadmissible part, such as `call.id`. */
  readonly field: string;

  constructor(hook: string, trigger: string, field: string) {
    super(
      `The hook ${JSON.stringify(hook)} broke its contract at ${trigger}: ${field} is not what this trigger admits.`,
    );
    this.hook = hook;
    this.trigger = trigger;
    this.field = field;
  }
}
