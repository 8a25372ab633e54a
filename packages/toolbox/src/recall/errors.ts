/**
 * - `query_empty`: a query without a letter or a digit
 * - `conversation_not_found`: the user has no past conversation of that id
 */
export type RecallErrorCode = "query_empty" | "conversation_not_found";

/** Thrown by the recall tool; errors of the store pass through unchanged. The message is written for the model. */
export class RecallError extends Error {
  override readonly name = "RecallError";
  readonly code: RecallErrorCode;
  /** The query or the conversation as it was given. */
  readonly asked: string;

  constructor(code: RecallErrorCode, asked: string, message: string) {
    super(message);
    this.code = code;
    this.asked = asked;
  }
}
