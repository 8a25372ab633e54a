import type { QuestionPart } from "@cogency/protocol/parts";
import type { PostedByBridge } from "@cogency/server/bridge";
import type { Decision } from "./read-reply.ts";

/**
 * The messages of the inbox that decisions become: one for each question that is open, whose ids make a second try harmless. Decisions for
 * other questions, and of another kind than the question asks for, are left out: they may be old, or forged.
 *
 * @param isRead whether a run has read the message of an id. Its answer did not fit where the question is still open: another one may.
 */
export function messagesOf(
  decisions: readonly Decision[],
  open: readonly QuestionPart[],
  isRead: (id: string) => boolean,
): PostedByBridge[] {
  const unread = (what: string, question: string) => {
    let id = idOf(what, question);
    for (let times = 2; isRead(id); times++) id = idOf(`${what}${times}`, question);
    return id;
  };
  return open.flatMap((question): PostedByBridge[] => {
    const decision = decisions.find((one) => isFor(one, question));
    if (!decision) return [];
    const { id } = question;
    if (!("approved" in decision))
      return [{ id: unread("answer", id), content: { kind: "answer", question: id, content: decision.content } }];
    const { approved, reason } = decision;
    const kind = approved ? "approve" : "deny";
    return [{ id: unread("decide", id), content: { kind, question: id, ...(reason !== undefined && { reason }) } }];
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
