import type { LogEvent, Proof, RecordEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import type { ApprovalRecord } from "@cogency/tools/host";

type ApprovalEvent = RecordEvent & { kind: "approval" };

export function isRecord(event: LogEvent): event is ApprovalEvent {
  return event.type === "record" && event.kind === "approval";
}

export function isAnswer(event: LogEvent, id: string): event is ApprovalEvent {
  return isRecord(event) && event.data.id === id && event.data.status !== "asked";
}

export function answerOf(log: readonly LogEvent[], id: string): ApprovalRecord {
  const found = log.find((event): event is ApprovalEvent => isAnswer(event, id));
  if (!found) throw new Error(`The log holds no answer about the call ${id}.`);
  return found.data;
}

export function proofOf(log: readonly LogEvent[], id: string): Proof {
  return answerOf(log, id).proof ?? { key: "none", mac: "0".repeat(64) };
}

export function proofFrom({ proof }: ApprovalRecord): Proof {
  if (!proof) throw new Error("It was not signed.");
  return proof;
}

export function approvalEvent(data: object): ApprovalEvent {
  return {
    type: "record",
    kind: "approval",
    data: withoutUndefined(data) as ApprovalRecord,
    timestamp: 9,
  } as ApprovalEvent;
}

function withoutUndefined(data: object): object {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

export function statement(
  { user, conversation }: Key,
  { question, id, name, hash, status, reason, shown }: ApprovalRecord,
) {
  return {
    purpose: "record" as const,
    user: user ?? null,
    conversation,
    question: question ?? null,
    call: id,
    name,
    hash,
    decision: status,
    reason: status === "denied" ? null : (reason ?? null),
    content: null,
    shown: shown ?? null,
  };
}

export async function signed(by: KeyRing, key: Key, record: ApprovalRecord): Promise<ApprovalRecord> {
  return { ...record, proof: await by.sign(statement(key, record)) };
}
