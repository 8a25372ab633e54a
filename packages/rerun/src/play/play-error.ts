import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `request_differs`: the agent asks the model something else than was recorded
 * - `unexpected_request`: the agent asked the model more often than was recorded
 * - `unused_steps`: the agent asked the model less often than was recorded
 * - `no_question`: a person is to answer a question that does not stand
 */
export type PlayErrorCode = "request_differs" | "unexpected_request" | "unused_steps" | "no_question";

/** The agent does not behave as it did when the conversation was recorded. */
export class PlayError extends Error {
  static {
    brandErrors(PlayError, "PlayError");
  }

  override readonly name = "PlayError";
  readonly code: PlayErrorCode;

  constructor(code: PlayErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether it is a PlayError, also one of another copy of `@cogency/rerun`. */
export function isPlayError(value: unknown): value is PlayError {
  return hasErrorBrand(value, "PlayError");
}
