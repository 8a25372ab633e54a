import type { HookPoint } from "./hook-program.ts";

/** How one call of a program ended, for people. */
export interface HookOutcome {
  /** The name of the program. */
  readonly hook: string;
  readonly at: HookPoint;
  /** The tool of the call that it was about. */
  readonly tool?: string;
  /** `failed` at a point that guards: it was denied, because nobody knows what the program would have said. */
  readonly outcome: "passed" | "denied" | "asked" | "told" | "ended" | "continued" | "failed";
  /** What it said, or how it failed, in one line. */
  readonly message?: string;
  readonly milliseconds: number;
}
