import type { InboxMessage } from "@cogency/storage";
import { checkedAttachments } from "@cogency/tools/host";
import type { AttachmentBounds } from "../settings.ts";
import { noticeFault } from "./notices/notice-fault.ts";
import { nameFault } from "./store-name.ts";

/** What is wrong with a message of somebody who does not use `agent.send`; undefined if nothing is. */
export function messageFault(message: InboxMessage, bounds: AttachmentBounds): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...message };
  const needed = neededTexts.get(message.kind);
  if (needed !== undefined && typeof fields[needed] !== "string") return `Its \`${needed}\` is not a text.`;
  const wrong = ["from", "reason"].find((name) => fields[name] !== undefined && typeof fields[name] !== "string");
  if (wrong !== undefined) return `Its \`${wrong}\` is not a text.`;
  if (message.kind === "notice") return noticeFault(fields);
  if (message.kind === "point") return nameFault(message);
  if (fields.attachments === undefined) return undefined;
  try {
    checkedAttachments(fields.attachments, bounds);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The text that each kind of message needs. */
const neededTexts: ReadonlyMap<unknown, string> = new Map([
  ["prompt", "content"],
  ["steer", "content"],
  ["notice", "content"],
  ["title", "content"],
  ["point", "content"],
  ["approve", "question"],
  ["deny", "question"],
  ["answer", "question"],
]);
