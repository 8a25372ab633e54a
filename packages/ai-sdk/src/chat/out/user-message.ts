import type { UserPart } from "@cogency/protocol/parts";
import type { FileUIPart, TextUIPart } from "ai";
import type { ChatMessage } from "../message.ts";
import { fileOf } from "./files.ts";

/** Words of a person as a message: the files first, as `useChat` has them. */
export function userMessage(id: string, { content, origin, attachments = [] }: UserPart): ChatMessage {
  const files: FileUIPart[] = attachments.flatMap((attachment) => fileOf(attachment) ?? []);
  const text: TextUIPart[] = content === "" && files.length > 0 ? [] : [{ type: "text", text: content }];
  return { id, role: "user", ...(origin !== undefined && { metadata: { origin } }), parts: [...files, ...text] };
}
