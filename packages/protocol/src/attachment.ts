/** An image or another file that the model gets beside a text. */
export interface Attachment {
  readonly kind: "image" | "file";
  /** Such as `image/png` or `application/pdf`. */
  readonly mediaType: string;
  /** The bytes as base64 text, or an address from which the provider's server gets them: nothing of ours fetches it. */
  readonly data: string | { readonly url: string };
  /** The name of the file. */
  readonly name?: string;
}

/** Whether a value may stand as `attachments`. What the base64 text holds is not read. */
export function areAttachments(value: unknown): value is readonly Attachment[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(isAttachment));
}

function isAttachment(value: Partial<Attachment> | null): boolean {
  const { kind, mediaType, data, name = "" } = value ?? {};
  return (kind === "image" || kind === "file") && isTexts([mediaType, (data as { url?: string })?.url ?? data, name]);
}

/** Whether a value is an array of strings. */
export function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
