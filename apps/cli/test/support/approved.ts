import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent, ToolCall } from "@cogency/protocol";
import { argumentsHash, createKeyRing } from "@cogency/tools";

/** Gives the installation whose home is this folder a key. */
export function writeKey(home: string, key: string): void {
  const folder = join(home, ".config", "cogency");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "keys"), key, { mode: 0o600 });
}

/** The record of a yes to the call with this id in the anonymous conversation "c", signed with a key. */
export async function approved(id: string, { name, args }: ToolCall, key: string): Promise<LogEvent> {
  const record = { id, name, hash: await argumentsHash(args), status: "approved" as const, question: `question ${id}` };
  const proof = await createKeyRing([Uint8Array.from(Buffer.from(key, "hex"))]).sign({
    purpose: "record",
    user: null,
    conversation: "c",
    question: record.question,
    call: id,
    name,
    hash: record.hash,
    decision: "approved",
    reason: null,
    content: null,
  });
  return { type: "record", kind: "approval", data: { ...record, proof }, timestamp: 1 };
}
