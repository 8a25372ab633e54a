import type { Options } from "../config/option-table.ts";

/**
 * Which calls run without a question.
 *
 * - `ask`: those of tools that only read
 * - `edits`: also changes of files below the root, unless something speaks against one
 * - `sandboxed`: also commands that the sandbox holds
 * - `plan`: as `read-only`, until the person accepts a plan and chooses another mode
 * - `read-only`: the model has no tool that writes or runs something
 * - `yes`: all, unless something speaks against one; `deny`: as `ask`, and what would ask is denied
 */
export type Mode = (typeof modes)[number];

export const modes = ["ask", "edits", "sandboxed", "plan", "read-only", "yes", "deny"] as const;

/** Those that the key goes through, in its order. */
export const keyModes: readonly Mode[] = ["ask", "edits", "sandboxed", "plan", "read-only"];

/** What each means, as a person reads it. */
export const modeMeanings: Readonly<Record<Mode, string>> = {
  ask: "calls that need permission ask",
  edits: "changes of files in the root run without a question, unless something speaks against one",
  sandboxed: "as edits, and so do commands that the sandbox holds: without network, in the root alone",
  yes: "calls run without a question, unless something speaks against one",
  deny: "calls that would ask are denied",
  plan: "as read-only, until you accept a plan that the model presents, and choose another mode",
  "read-only": "the model gets no tool that writes or runs something",
};

/** The options that say it. `deny` may stand beside `mode`; `readOnly` is stronger than both. */
export type ModeChoice = Options<"mode" | "yes" | "deny" | "readOnly">;

export function modeOf({ mode = "ask", yes, deny, readOnly }: ModeChoice): Mode {
  if (readOnly) return "read-only";
  if (yes) return "yes";
  return deny && mode === "ask" ? "deny" : mode;
}

/** A choice with another mode, and none of the options that said the one before. */
export function withMode<Choice extends ModeChoice>(choice: Choice, mode: Mode): Choice {
  const { mode: _mode, yes: _yes, deny: _deny, readOnly: _readOnly, ...rest } = choice;
  const said: ModeChoice = mode === "yes" ? { yes: true } : mode === "deny" ? { deny: true } : { mode };
  return { ...rest, ...said } as Choice;
}
