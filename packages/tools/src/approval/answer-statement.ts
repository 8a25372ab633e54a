import type { ApprovalRecord } from "./approval.ts";
import type { Statement } from "./key-ring.ts";

/**
 * What the proof of an answer says: who decided what about which call of whose conversation, in answer to which
 * question, and by a hash what that question showed. Another value in any place makes another statement. The reason of a refusal is none of it: a store may
 * redact that text, and the refusal has to stand all the same.
 */
export function answerStatement({ conversation, user }: Owner, record: Omit<ApprovalRecord, "proof">): Statement {
  const { id, name, hash, status, question = null, reason = null, shown = null } = record;
  return {
    purpose: "record",
    user: user ?? null,
    conversation,
    question,
    call: id,
    name,
    hash,
    decision: status,
    reason: status === "denied" ? null : reason,
    content: null,
    shown,
  };
}

interface Owner {
  conversation: string;
  user?: string | undefined;
}
