import { callOf, type JsonObject } from "@cogency/protocol";
import type { Key, StoredEvent } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import { answerStatement } from "@cogency/tools/host";

/** A question for approval or its answer, as a person reads it. */
export interface ShownApproval {
  name: string;
  /** Of the call, where the log has it. */
  args: JsonObject | undefined;
  status: string;
  reason: string | undefined;
  /** Whether this installation gave the answer. Answers of others do not count. */
  isOurs: boolean;
}

/** The approvals in a log, by the number of their event. Bears a log from elsewhere, which may hold anything in their place. */
export async function approvalsOf(
  events: readonly StoredEvent[],
  key: Key,
  keyRing: KeyRing | undefined,
): Promise<ReadonlyMap<number, ShownApproval>> {
  const read = approvalReader(key, keyRing);
  const found = new Map<number, ShownApproval>();
  for (const event of events) {
    const approval = await read(event);
    if (approval) found.set(event.seq, approval);
  }
  return found;
}

/** Reads the events of a log in their order, and returns the approval in each; undefined for an event of another kind. */
export function approvalReader(
  key: Key,
  keyRing: KeyRing | undefined,
): (event: StoredEvent) => Promise<ShownApproval | undefined> {
  const calls = new Map<string, JsonObject>();
  return async (event) => {
    if (event.type === "call" && event.id !== undefined) calls.set(event.id, argumentsOf(event.content));
    if (event.type !== "record") return undefined;
    if (event.kind === "question") {
      const { call, name, args = calls.get(call) } = event.data ?? {};
      return { name: String(name), args, status: "asked", reason: undefined, isOurs: false };
    }
    if (event.kind !== "approval") return undefined;
    const { id, name, status, reason } = event.data ?? {};
    return {
      name: String(name),
      args: calls.get(id),
      status: String(status),
      reason: typeof reason === "string" ? reason : undefined,
      isOurs: (await keyRing?.verify(answerStatement(key, event.data ?? {}), event.data?.proof)) ?? false,
    };
  };
}

function argumentsOf(content: string): JsonObject {
  try {
    return callOf({ content }).args;
  } catch {
    return { text: content };
  }
}
