import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import type { KeyRing, Statement } from "@cogency/tools";

/** Says in the log who began it, and what it belongs to; the first record of a log that an agent begins. */
export async function originRecord(
  keyRing: KeyRing,
  key: Key,
  scope: string | undefined,
  timestamp: number,
): Promise<RecordEvent> {
  const proof = await keyRing.sign(statement(key, scope));
  return { type: "record", kind: "origin", data: { ...(scope !== undefined && { scope }), proof }, timestamp };
}

/** Whether the log of `key` was begun by an installation that holds a key of the ring. */
export async function isOwnLog(log: readonly LogEvent[], keyRing: KeyRing, key: Key): Promise<boolean> {
  const first = log.find((event) => event.type === "record");
  if (first?.kind !== "origin") return false;
  // A log from elsewhere may hold anything.
  const { scope, proof } = (first.data ?? {}) as Partial<typeof first.data>;
  if (scope !== undefined && typeof scope !== "string") return false;
  return keyRing.verify(statement(key, scope), proof);
}

function statement({ conversation, user }: Key, scope: string | undefined): Statement {
  return { purpose: "origin", user: user ?? null, conversation, scope: scope ?? null };
}
