import type { Attachment } from "@cogency/protocol";

/** From the registry of symbols: a tool may have been built with another copy of this package than the executor. */
const isAttached: unique symbol = Symbol.for("cogency.attached");

/** The value of a call, and what the model gets beside it. `withAttachments` makes one. */
export interface AttachedValue<Value = unknown> {
  readonly value: Value;
  readonly attachments: readonly Attachment[];
  readonly [isAttached]: true;
}

/**
 * Returned by the body of a tool, or by a hook that replaces a value: the model reads `value` as usual, and gets the attachments
 * after the results of the batch. A call whose attachments are malformed, too large, or of a kind that the model does not take, is a
 * failure that says so.
 *
 * @example
 * return withAttachments("The page as a picture.", [{ kind: "image", mediaType: "image/png", data: base64 }]);
 */
export function withAttachments<Value>(value: Value, attachments: readonly Attachment[]): AttachedValue<Value> {
  return { value, attachments, [isAttached]: true };
}

export function isAttachedValue(value: unknown): value is AttachedValue {
  return typeof value === "object" && value !== null && isAttached in value;
}
