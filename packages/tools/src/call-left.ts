import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";
import type { QuestionRecord } from "./questions/question-record.ts";

/**
 * Thrown by the body of a call that has begun work which is not over, and does not go on here: it waits for answers, or its run was
 * interrupted. The outcome of the call is `waiting`, and nothing is logged of its end. The host runs it again later, so its tool must
 * claim `idempotentHint`.
 */
export class CallLeft extends Error {
  static {
    brandErrors(CallLeft, "CallLeft");
  }

  override readonly name = "CallLeft";
  /** The questions that stand; none where the run was interrupted. */
  readonly questions: readonly QuestionRecord[];

  constructor(questions: readonly QuestionRecord[] = []) {
    super("The call is left: its work is not over.");
    this.questions = questions;
  }
}

/** Whether it is a CallLeft, also one of another copy of `@cogency/tools`. Never throws. */
export function isCallLeft(value: unknown): value is CallLeft {
  try {
    return hasErrorBrand(value, "CallLeft");
  } catch {
    // Of a proxy that was revoked.
    return false;
  }
}
