import type { Part } from "@cogency/protocol/parts";
import type { ConversationStatus, WaitingMessage } from "../conversation.ts";
import type { Transcript } from "./transcript.ts";

/** What a conversation does, by what it says and what waits for it. The order is that of `GET /conversations/ID` of the server. */
export function statusOf(
  { view, isOpenTurn }: Pick<Transcript, "view" | "isOpenTurn">,
  waiting: readonly WaitingMessage[],
): Exclude<ConversationStatus, "loading"> {
  const last = view.stored.at(-1);
  const isWriting = view.parts.length > view.stored.length;
  const notice = last?.type === "notice" && last.open && !isWriting ? last : undefined;
  if (notice?.parked) return "parked";
  const sent = waiting.filter(({ state }) => state === "sent");
  const answered = new Set(sent.map((message) => ("question" in message ? message.question : undefined)));
  const questions = view.stored.filter(isOpenQuestion);
  if (questions.some(({ id }) => !answered.has(id))) return "waiting";
  const hasWords = sent.some(({ kind }) => kind === "prompt" || kind === "steer");
  if (questions.length > 0 || hasWords || isWriting) return "running";
  // A failure that the next message tries again.
  if (notice && notice.retryAt === undefined) return "idle";
  return isOpenTurn ? "running" : "idle";
}

function isOpenQuestion(part: Part): part is Extract<Part, { type: "question" }> {
  return part.type === "question" && part.open === true;
}
