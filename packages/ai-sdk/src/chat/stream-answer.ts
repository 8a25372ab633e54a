import type { TurnEnding, Visit } from "@cogency/server/bridge";
import type { ChatChunk } from "./message.ts";
import type { Answer } from "./out/answer.ts";
import { AnswerEnd } from "./out/answer-end.ts";
import type { Plan } from "./plan.ts";
import type { Talk } from "./talk.ts";

/** The response of a UI message stream: what is there of an answer, and then what comes, until nothing more comes by itself. */
export function streamAnswer(visit: Visit, talk: Talk, plan: Plan): Response {
  return visit.stream(eventsOf(visit, talk, plan), headers);
}

/** As version 1 of the protocol has them, with what `visit.stream` adds. */
const headers = { "x-vercel-ai-ui-message-stream": "v1" };

async function* eventsOf(visit: Visit, talk: Talk, plan: Plan): AsyncGenerator<string, void, undefined> {
  let isStepOpen = false;
  for await (const chunk of chunksOf(visit, talk, plan)) {
    // The step has begun in an earlier stream, or there is none.
    if (chunk.type === "finish-step" && !isStepOpen) continue;
    if (chunk.type === "start-step") isStepOpen = true;
    if (chunk.type === "finish-step") isStepOpen = false;
    yield `data: ${JSON.stringify(chunk)}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

async function* chunksOf(
  visit: Visit,
  { key, conversation, last }: Talk,
  plan: Plan,
): AsyncGenerator<ChatChunk, void, undefined> {
  let answer = plan.answer();
  if (answer) yield* beginning(answer, plan.unread);
  // The next turn has not begun.
  const isCurrent = () => answer === undefined || answer === conversation.current;
  let ending: TurnEnding | undefined;
  if (isCurrent()) {
    const ids = plan.post.flatMap(({ id }) => (conversation.message(id) ? [] : [id]));
    for await (const item of visit.turn(key, { after: last, ids })) {
      const told = conversation.read(item);
      if (answer) {
        for (const one of told) if (one.answer === answer) yield* one.chunks;
      } else {
        answer = plan.answer();
        if (answer) yield* beginning(answer);
      }
      if (item.type === "over") ({ ending } = item);
      if (!isCurrent()) break;
    }
  }
  // Why an answer to a question was refused has been told: another one came before it, of which the page reads here.
  const isOfAnswer = isCurrent() && !(plan.unread && ending?.code === "refused");
  if (answer) yield* answer.finish((isOfAnswer && ending) || answer.ending);
  else yield* withoutAnswer(ending, plan.post.length > 0);
}

function beginning(answer: Answer, unread: readonly ChatChunk[] = answer.replay()): ChatChunk[] {
  return [{ type: "start", messageId: answer.id }, ...unread];
}

/** The words were refused, the conversation was deleted, or there is nothing to resume. */
function withoutAnswer(ending: TurnEnding | undefined, isAsked: boolean): ChatChunk[] {
  const isUnexplained = ending === undefined || ending.status === "completed" || ending.status === "waiting";
  const told = isUnexplained && isAsked ? ignored : (ending ?? { status: "completed" });
  return [{ type: "start" }, ...new AnswerEnd().chunks(told)];
}

const ignored: TurnEnding = {
  status: "failed",
  message: "Nothing came of the message. It may hold files that the model does not take.",
};
