import type { Json } from "@cogency/protocol";
import type { QuestionRecord } from "../questions/question-record.ts";
import type { ApprovalRecord } from "./approval.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Statement } from "./key-ring.ts";

/**
 * The statement that the proof of an answer signs: the decision, the call, the owner of the conversation, the question, and
 * a hash of what the question showed. If any of these differs, the proof does not hold. The reason of a denial is not part
 * of it: a store may redact that text, and the denial must still stand.
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

/**
 * The statement that the proof of an answer to a question of a body signs: the answer, the call, the owner of the conversation,
 * and the question with what it showed.
 */
export function contentStatement({ conversation, user }: Owner, asked: QuestionRecord, content: Json): Statement {
  const { id, call, name, hash, shown = null } = asked;
  return {
    purpose: "record",
    user: user ?? null,
    conversation,
    question: id,
    call,
    name,
    hash,
    decision: "answered",
    reason: null,
    content: canonicalJson(content),
    shown,
  };
}

interface Owner {
  conversation: string;
  user?: string | undefined;
}
