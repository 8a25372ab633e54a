import { type CallPart, partsOf, type QuestionPart } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { shownEvent } from "../view/shown-event.ts";

/** The questions that nobody has answered in the log, in order, each with the arguments of its call. */
export function openQuestions(recent: readonly StoredEvent[]): Omit<QuestionPart, "type" | "open">[] {
  const parts = partsOf(recent.flatMap((event) => shownEvent(event, false) ?? []));
  const argsOf = (id: string) => parts.find((part): part is CallPart => part.type === "call" && part.id === id)?.args;
  return parts.flatMap((part) => {
    if (part.type !== "question" || !part.open) return [];
    const { type: _, open: __, ...question } = part;
    const args = question.args ?? argsOf(question.call);
    return { ...question, ...(args && { args }) };
  });
}
