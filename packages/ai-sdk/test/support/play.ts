import type { TurnEnding, TurnItem } from "@cogency/server/bridge";
import type { UIMessageChunk } from "ai";
import type { ChatMessage } from "../../src/chat/index.ts";
import { Conversation } from "../../src/chat/out/conversation.ts";

export interface Played {
  /** What a page reads of each answer that followed all of it, by the id of the answer. */
  readonly streams: ReadonlyMap<string, readonly UIMessageChunk[]>;
  /** The messages that the server keeps. */
  readonly messages: readonly ChatMessage[];
}

/** Puts items through the translation, as a reader that follows each answer from its beginning to its end. */
export function play(items: readonly TurnItem[], ending: TurnEnding): Played {
  const talk = new Conversation();
  const streams = new Map<string, UIMessageChunk[]>();
  const follow = (item: TurnItem) => {
    for (const { answer, chunks } of talk.read(item)) {
      const stream = streams.get(answer.id) ?? [{ type: "start", messageId: answer.id }];
      streams.set(answer.id, [...stream, ...chunks]);
    }
  };
  for (const item of items) follow(item);
  follow({ type: "over", ending });
  for (const [id, stream] of streams) {
    const answer = talk.answer(id);
    if (!answer) continue;
    const isLast = answer === talk.current;
    const end = answer.finish(isLast ? ending : { status: "completed" });
    streams.set(id, [...stream, ...end.filter(({ type }) => type !== "finish-step" || isStepOpen(stream))]);
  }
  return { streams, messages: JSON.parse(JSON.stringify(talk.messages())) };
}

/** How a log ends, as far as it says so. */
export function endingOf(items: readonly TurnItem[]): TurnEnding {
  const talk = new Conversation();
  for (const item of items) talk.read(item);
  const { metadata, parts } = talk.messages().findLast(({ role }) => role === "assistant") ?? {};
  const notice = parts?.findLast((part) => part.type === "data-notice");
  if (talk.openQuestions.length > 0) return { status: "waiting" };
  if (notice?.data.open) return { status: notice.data.parked ? "parked" : "failed", message: notice.data.message };
  return { status: metadata?.status ?? "failed", message: "It broke off." };
}

function isStepOpen(chunks: readonly UIMessageChunk[]): boolean {
  return chunks.findLast(({ type }) => type === "start-step" || type === "finish-step")?.type === "start-step";
}
