import type { QuestionRecord, RemoteAnswer } from "@cogency/tools/host";
import type { Received } from "./received.ts";

export type Asks = QuestionRecord["asks"];

/** The messages that settle a question. */
export const settlements: Record<Asks, string> = { approval: "`approve` or `deny`", answer: "`answer`" };

/** Reads a message as an answer of a kind; undefined if it is of another kind. */
export const answerIn: { [A in Asks]: (received: Received) => RemoteAnswer<A> | undefined } = {
  approval({ id, message }) {
    if (message.kind !== "approve" && message.kind !== "deny") return undefined;
    const { kind, reason, from } = message;
    return { approved: kind === "approve", ...(reason !== undefined && { reason }), ...sentBy(from), message: id };
  },
  answer({ id, message }) {
    if (message.kind !== "answer") return undefined;
    return { content: message.content, ...sentBy(message.from), message: id };
  },
};

function sentBy(from: string | undefined): { by?: string } {
  return from === undefined ? {} : { by: from };
}
