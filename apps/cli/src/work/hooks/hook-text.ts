import type { HookOutcome, HookProgram } from "@cogency/hook-programs";

/** Shown where no hook counts. */
export const noHooks = "There are no hooks here. To add one, use the key hooks of a configuration.";

/** When a hook is called, and how. */
export function whenText({ at, tools, sandbox }: HookProgram): string {
  const calls = tools === undefined ? "" : ` ${tools.join(", ")}`;
  return `${at}${calls}${sandbox ? " · in a sandbox" : ""}`;
}

/** How the last call of a hook ended. */
export function lastText(outcome: HookOutcome | undefined): string {
  if (outcome === undefined) return "not called yet";
  const { milliseconds, message } = outcome;
  return `${outcome.outcome} in ${milliseconds} ms${message === undefined ? "" : `: ${message}`}`;
}
