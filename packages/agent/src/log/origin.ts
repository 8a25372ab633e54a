import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import type { Statement } from "@cogency/tools/host";
import { RunError } from "../errors.ts";
import type { Settings } from "../settings.ts";
import { orAbandoned } from "./or-abandoned.ts";

/**
 * The first record of a log that an agent begins: a signed statement of whose conversation it is and what it belongs to.
 * Undefined if the signal aborts before it is signed: without it, the conversation would always count as another installation's.
 *
 * @throws RunError `key_ring` if the key ring fails to sign
 */
export async function originRecord(
  { keyRing, scope }: Pick<Settings, "keyRing" | "scope">,
  key: Key,
  timestamp: number,
  signal: AbortSignal,
): Promise<[RecordEvent] | undefined> {
  const signing = orAbandoned(() => keyRing.sign(statement(key, scope)), signal, undefined);
  const proof = await signing.catch((cause: unknown) => {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new RunError("key_ring", `The beginning of the conversation could not be signed: ${problem}`, { cause });
  });
  return (
    proof && [{ type: "record", kind: "origin", data: { ...(scope !== undefined && { scope }), proof }, timestamp }]
  );
}

/**
 * Whether an installation that holds a key of the ring began the log of `key`. False if the ring fails to verify that, or
 * does not answer shortly after the signal has aborted.
 */
export async function isOwnLog(
  log: readonly LogEvent[],
  keyRing: KeyRing,
  key: Key,
  signal: AbortSignal,
): Promise<boolean> {
  const first = log.find((event) => event.type === "record");
  if (first?.kind !== "origin") return false;
  // A log from elsewhere may hold anything.
  const { scope, proof } = (first.data ?? {}) as Partial<typeof first.data>;
  if (scope !== undefined && typeof scope !== "string") return false;
  const verifying = orAbandoned(() => keyRing.verify(statement(key, scope), proof), signal, false);
  return (await verifying.catch(() => false)) === true;
}

function statement({ conversation, user }: Key, scope: string | undefined): Statement {
  return { purpose: "origin", user: user ?? null, conversation, scope: scope ?? null };
}
