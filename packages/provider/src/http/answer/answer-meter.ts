import type { ModelEvent } from "../../provider.ts";
import { answerTooLarge, type CompleteLimits } from "../limits.ts";

/** Measures one answer while it comes, so that no more of it is kept than `limits` allow. */
export interface AnswerMeter {
  /**
   * Counts what these events add to the answer. An event that is refused must not be yielded.
   *
   * @throws ProviderError `answer_too_large`
   */
  add(events: readonly ModelEvent[]): void;
  /**
   * Counts what a wire keeps of the answer beside what its events tell, such as signatures to be sent back.
   *
   * @param kept a value that was read from JSON
   * @throws ProviderError `answer_too_large`
   */
  keep(kept: unknown): void;
  /**
   * Checks how many calls, or blocks, the answer has by now. It is asked before they are taken in where one event can
   * hold many.
   *
   * @throws ProviderError `answer_too_large`
   */
  holds(name: "calls" | "blocks", count: number): void;
}

export function createAnswerMeter(host: string, limits: CompleteLimits): AnswerMeter {
  let characters = 0;
  let ended = 0;
  /** By the index of the call: the characters of its arguments so far. */
  const told = new Map<number, number>();

  function count(length: number) {
    characters += length;
    if (characters > limits.answerCharacters) throw answerTooLarge(host, "answerCharacters", limits);
  }

  function holds(name: "calls" | "blocks", number: number) {
    if (number > limits[name]) throw answerTooLarge(host, name, limits);
  }

  function addArguments(index: number, length: number) {
    told.set(index, (told.get(index) ?? 0) + length);
    holds("calls", told.size);
    count(length);
  }

  return {
    holds,
    keep(kept) {
      count(typeof kept === "string" ? kept.length : (JSON.stringify(kept)?.length ?? 0));
    },
    add(events) {
      for (const event of events) {
        if (event.type === "text" || event.type === "reasoning") count(event.text.length);
        else if (event.type === "tool_call_delta") addArguments(event.index, event.arguments.length);
        else if (event.type === "tool_call") {
          const index = ended++;
          // Most have come in deltas before.
          addArguments(index, Math.max(0, event.arguments.length - (told.get(index) ?? 0)));
        }
      }
    },
  };
}
