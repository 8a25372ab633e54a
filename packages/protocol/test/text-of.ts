import type { ModelMessage } from "../src/message.ts";

/** The text of a message that has no attachments. */
export function textOf(message: ModelMessage): string {
  if (message.role !== "tool" && typeof message.content === "string") return message.content;
  throw new Error(`Not a message of text alone: ${JSON.stringify(message)}`);
}
