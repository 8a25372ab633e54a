import type { QuestionPart } from "@cogency/protocol/parts";
import type { PostedByBridge } from "@cogency/server/bridge";
import type { Decision } from "./read-reply.ts";

/**
 * The messages of the inbox that decisions become: one for each question that is open, whose ids make a second try harmless. Decisions for
 * other questions, and of another kind than the question asks for, are left out: they may be old, or forged.
 */
export function messagesOf(decisions: readonly Decision[], open: readonly QuestionPart[]): PostedByBridge[] {
  return open.flatMap((question): PostedByBridge[] => {
    const decision = decisions.find((one) => isFor(one, question));
    if (!decision) return [];
    const { id } = question;
    if (!("approved" in decision))
      return [{ id: idOf("answer", id), content: { kind: "answer", question: id, content: decision.content } }];
    const { approved, reason } = decision;
    const kind = approved ? "approve" : "deny";
    return [{ id: idOf("decide", id), content: { kind, question: id, ...(reason !== undefined && { reason }) } }];
  });
}

/** Whether a decision may answer a question. */
export function isFor(decision: Decision, { id, call, asks, client }: QuestionPart): boolean {
  if ("call" in decision) return client === true && decision.call === call;
  return decision.question === id && "approved" in decision === (asks === "approval") && !client;
}

/** The id of a message. */
export function idOf(what: string, name: string): string {
  return `${what}-${name}`.replace(/[^\x21-\x7e]/g, "_").slice(0, 128);
}
