import type { UserPart } from "@cogency/protocol/parts";
import { Problem } from "@cogency/server";
import type { PostedByBridge } from "@cogency/server/bridge";
import { idOf, isFor, messagesOf } from "./in/messages-of.ts";
import type { ChatReply } from "./in/read-reply.ts";
import type { ChatWords } from "./in/read-words.ts";
import type { ChatChunk } from "./message.ts";
import type { Answer } from "./out/answer.ts";
import type { Talk } from "./talk.ts";

/** What a request leads to. */
export interface Plan {
  /** The messages that it becomes. */
  readonly post: readonly PostedByBridge[];
  /** The answer that is streamed, once it is there. */
  answer(): Answer | undefined;
  /** What the page has not read of the answer yet. Absent where it has nothing of it. */
  readonly unread?: readonly ChatChunk[];
}

/** Words begin a turn. Those that have come before are not posted again: the page gets their answer. */
export function planWords({ conversation, state }: Talk, { id, content }: ChatWords): Plan {
  const answer = () => conversation.wordsOf(id)?.answer;
  const known = conversation.message(id);
  if (known?.refused !== undefined) throw new Problem("conflict", `The message was refused: ${known.refused}`);
  if (known) {
    const words = conversation.wordsOf(id);
    if (words && !isSame(words.part, content))
      throw new Problem("conflict", "A message cannot be changed: a conversation is never rewritten. Send a new one.");
    return { post: [], answer };
  }
  if (conversation.answer(id))
    throw new Problem("conflict", "The id belongs to an answer of this conversation. Send the message with a new id.");
  // Words would wait until the questions are answered. An answer is given up once, whatever words come at the same time.
  const cancel: PostedByBridge = {
    id: idOf("leave", conversation.current?.id ?? ""),
    content: { kind: "cancel", reason: "New words came." },
  };
  return { post: [...(state === "waiting" ? [cancel] : []), { id, content }], answer };
}

/** A turn that is not over goes on. Where it is, its words are asked once more: the log keeps the first answer. */
export function planAgain(talk: Talk, words: ChatWords): Plan {
  const { conversation, state } = talk;
  const last = conversation.lastOf(words.id);
  if (!last) return planWords(talk, words);
  if (last.answer !== conversation.current)
    throw new Problem("conflict", "Only the last answer can be given again: a conversation is never rewritten.");
  if (state !== "idle") return { post: [], answer: () => last.answer };
  const id = conversation.nextOf(words.id);
  const { content, attachments } = last.part;
  const { tools } = words.content;
  return {
    post: [{ id, content: { kind: "prompt", content, ...(attachments && { attachments }), ...(tools && { tools }) } }],
    answer: () => conversation.wordsOf(id)?.answer,
  };
}

/** Answers to questions that are open become messages, and the page reads what has come since it was asked. */
export function planReply({ conversation, told }: Talk, { id, decisions }: ChatReply): Plan {
  const answer = conversation.answer(id);
  if (!answer)
    throw new Problem("not_found", "The conversation has no such answer. Load its messages again, and answer there.");
  const inLastStep = decisions.filter(({ isLast }) => isLast);
  const from = conversation.closedAt((question) => inLastStep.some((decision) => isFor(decision, question)));
  const unread = told.flatMap((one) =>
    from !== undefined && one.seq >= from && one.answer === answer ? one.chunks : [],
  );
  return {
    post: messagesOf(decisions, conversation.openQuestions, (id) => conversation.message(id) !== undefined),
    answer: () => answer,
    unread,
  };
}

/** Attachments are compared by what they are: a name may have been made well-formed. */
function isSame(part: UserPart, { content, attachments }: ChatWords["content"]): boolean {
  return part.content === content && bytesOf(part.attachments) === bytesOf(attachments);
}

function bytesOf(attachments: UserPart["attachments"] = []): string {
  return JSON.stringify(attachments.map(({ mediaType, data }) => [mediaType, data]));
}
