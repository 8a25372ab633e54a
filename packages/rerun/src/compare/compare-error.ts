/**
 * - `not_between_rounds`: `from` is inside of what the model wrote before it read anything new, or no request follows it; the message names
 *   numbers that are allowed
 * - `nothing_to_compare`: the conversation has no words of a person
 * - `bad_log`: the log holds what a store refuses
 * - `other_store`: the agent does not use the store that it was given
 */
export type CompareErrorCode = "not_between_rounds" | "nothing_to_compare" | "bad_log" | "other_store";

/** A comparison cannot begin. What fails in a run of a variant is in the result of that run. */
export class CompareError extends Error {
  override readonly name = "CompareError";
  readonly code: CompareErrorCode;

  constructor(code: CompareErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
