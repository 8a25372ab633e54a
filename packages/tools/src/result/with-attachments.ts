import type { Attachment } from "@cogency/protocol";

/** The value of a call, and what the model gets beside it. */
export class AttachedValue<Value = unknown> {
  readonly value: Value;
  readonly attachments: readonly Attachment[];

  constructor(value: Value, attachments: readonly Attachment[]) {
    this.value = value;
    this.attachments = attachments;
  }
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
  return new AttachedValue(value, attachments);
}
