import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `no_turn`: the log has no turn that came to an end
 * - `turn_without_end`: a turn broke off; `turns` are those before it
 * - `notice_inside`: something outside said something in the middle of a turn; `turns` are those before it
 * - `not_recorded`: the log does not hold what the model was asked
 * - `agent_not_in_log`: the agent cannot be made from the log alone
 * - `differs`: the agent that was made from the log does not do what the log says
 */
export type UnwritableCode =
  | "no_turn"
  | "turn_without_end"
  | "notice_inside"
  | "not_recorded"
  | "agent_not_in_log"
  | "differs";

/** No test can be made from this conversation as it is. The message says why, and what to do. */
export class UnwritableTestError extends Error {
  static {
    brandErrors(UnwritableTestError, "UnwritableTestError");
  }

  override readonly name = "UnwritableTestError";
  readonly code: UnwritableCode;
  /** The number of the first turn that is no part of a test, from 1. */
  readonly turn: number | undefined;

  constructor(code: UnwritableCode, message: string, turn?: number) {
    super(message);
    this.code = code;
    this.turn = turn;
  }
}

/** Whether it is an UnwritableTestError, also one of another copy of `@cogency/rerun`. */
export function isUnwritableTestError(value: unknown): value is UnwritableTestError {
  return hasErrorBrand(value, "UnwritableTestError");
}
