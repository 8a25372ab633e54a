import type { Attachment, MessagePart, ModelMessage } from "@cogency/protocol";

/** The text of a message: its text parts, joined by blank lines. */
export function contentText(content: string | readonly MessagePart[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.kind === "text" ? part.text : [])).join("\n\n");
}

/** The attachments of a message, those of its results included. */
export function attachmentsOf(message: ModelMessage): readonly Attachment[] {
  if (message.role === "tool") return message.results.flatMap(({ attachments = [] }) => attachments);
  const { content } = message;
  return typeof content === "string" ? [] : content.filter((part) => part.kind !== "text");
}
