import type { Json } from "@cogency/protocol";
import type { InboxMessage, Key } from "@cogency/storage";
import type { Statement } from "@cogency/tools/host";

/**
 * The statement that the proof of a message signs: all of the message, its id, and the conversation that it was sent to. A copy
 * under another id, in another conversation or with another word has no valid proof.
 */
export function messageStatement({ conversation, user }: Key, id: string, message: InboxMessage): Statement {
  const { proof: _, ...said } = message;
  // As a store returns it: without members that are undefined, and with well-formed strings.
  const kept: Json = JSON.parse(
    JSON.stringify(said, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)),
  );
  return { purpose: "message", user: user ?? null, conversation, id, message: kept };
}
