import type { RecordedConversation } from "@tooling/conversations";
import { ChangeReader, type TurnEnding, type TurnItem } from "../../src/bridge/index.ts";
import { shownItem } from "../../src/bridge/shown-item.ts";
import type { Answer, AnswerSettings, WireEvent } from "../../src/openai/answer/answer.ts";
import { Completion } from "../../src/openai/answer/completion.ts";
import { Known } from "../../src/openai/answer/known.ts";
import { ResponseAnswer } from "../../src/openai/answer/response.ts";
import { endingAt } from "../../src/openai/answer/stored-answer.ts";

export type Wire = "chat" | "responses";

/** One turn of a conversation as an answer of a wire. */
export interface AnsweredTurn {
  readonly words: string;
  readonly events: readonly WireEvent[];
  readonly body: WireEvent;
}

/** Puts each turn of a recorded conversation through the translation, as a user with these scopes sees it. */
export function answeredTurns(
  { items }: Pick<RecordedConversation, "items">,
  wire: Wire,
  { isLive, scopes = ["thinking"] }: { isLive: boolean; scopes?: readonly string[] },
): AnsweredTurn[] {
  const known = new Known();
  const changes = new ChangeReader();
  const turns: AnsweredTurn[] = [];
  let open: { id: string; words: string; answer: Answer; events: WireEvent[] } | undefined;
  let ending: TurnEnding | undefined;
  const close = () => {
    const end = ending ?? { status: known.open().length > 0 ? ("waiting" as const) : ("failed" as const) };
    if (open) {
      for (const change of changes.read({ type: "over", ending: end })) open.events.push(...open.answer.read(change));
      open.events.push(...open.answer.end(end));
      turns.push({ words: open.words, events: open.events, body: open.answer.body() });
    }
    open = undefined;
    ending = undefined;
  };
  for (const given of items) {
    const item = given.type === "pieces" && !isLive ? undefined : shownItem(given as TurnItem, new Set(scopes));
    if (!item) continue;
    if (item.type === "event") known.seeEvent(item.event);
    for (const change of changes.read(item)) {
      known.see(change);
      if (change.type === "user" && change.turn !== open?.id) {
        close();
        const answer = answerOf(wire, `turn-${change.turn}`, known);
        open = { id: change.turn, words: change.part.content, answer, events: answer.begin() };
      }
      ending = endingAt(change, ending);
      open?.events.push(...open.answer.read(change));
    }
  }
  close();
  return turns;
}

function answerOf(wire: Wire, id: string, known: Known): Answer {
  const settings: AnswerSettings = {
    id,
    created: 1_764_400_000,
    model: "agent",
    conversation: "AAAABBBBCCCCDDDD",
    tools: "reasoning",
    questions: true,
    known,
  };
  return wire === "chat"
    ? new Completion(settings, true)
    : new ResponseAnswer(settings, { previous_response_id: null, instructions: null, metadata: {} });
}

/** The text of a stream, as the handler sends it. */
export function streamOf(wire: Wire, events: readonly WireEvent[]): string {
  const name = (event: WireEvent) => (wire === "responses" ? `event: ${event.type}\n` : "");
  const texts = events.map((event) => `${name(event)}data: ${JSON.stringify(event)}\n\n`);
  return [...texts, ...(wire === "chat" ? ["data: [DONE]\n\n"] : [])].join("");
}
