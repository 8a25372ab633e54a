import type { Key, MessageContent } from "@cogency/storage";
import { checkedAttachments, checkedClientTools } from "@cogency/tools/host";
import { randomId } from "../flat-text.ts";
import type { Settings } from "../settings.ts";
import { messageStatement } from "./message-statement.ts";

export interface SendOptions {
  /** An id of the sender's choice, unique per conversation; the same message under the same id is sent once. Defaults to a random one. */
  id?: string | undefined;
  /** Unix time in milliseconds by the clock of the store, before which nobody reads the message. Defaults to now. */
  at?: number | undefined;
  /** Who sends it, as the model and the log will have it. It is claimed; a server sets it. */
  from?: string | undefined;
}

/**
 * Posts a message, signed with the agent's key ring.
 *
 * @returns the id of the message
 * @throws TypeError, RangeError for malformed attachments and tools; ToolError `name_taken` for a tool of a client whose name the agent's
 * own tools have
 */
export async function send(
  { store, keyRing, scope, attachments: { maxBytes }, taken }: Settings,
  key: Key,
  content: MessageContent,
  { id = randomId(), at, from }: SendOptions,
): Promise<string> {
  if ("attachments" in content && content.attachments) checkedAttachments(content.attachments, { maxBytes });
  const brought = "tools" in content &&
    content.tools !== undefined && { tools: checkedClientTools(content.tools, taken) };
  const message = { ...content, ...brought, ...(from !== undefined && { from }) };
  const proof = await keyRing.sign(messageStatement(key, id, message));
  await store.post(key, { ...message, proof }, { id, at, scope });
  // Nobody claims a parked conversation, so nobody would read it.
  if (message.kind === "cancel" && at === undefined) await store.unpark(key);
  return id;
}
