import type { ModelEvent } from "../../provider.ts";
import { answerTooLarge, type CompleteLimits } from "../limits.ts";

/** Measures one answer while it arrives, so that no more of it is kept than `limits` allow. */
export interface AnswerMeter {
  /**
   * Counts the content of these events. If this throws, the events must not be yielded.
   *
   * @throws ProviderError `answer_too_large`
   */
  add(events: readonly ModelEvent[]): void;
  /**
   * Counts content that a wire keeps without an event, such as signatures to be sent back.
   *
   * @param kept a value that was parsed from JSON
   * @throws ProviderError `answer_too_large`
   */
  keep(kept: unknown): void;
  /**
   * Checks the number of calls, or blocks, in the answer. Must be called before they are processed if one event can hold
   * many.
   *
   * @throws ProviderError `answer_too_large`
   */
  holds(name: "calls" | "blocks", count: number): void;
}

export function createAnswerMeter(host: string, limits: CompleteLimits): AnswerMeter {
  let characters = 0;
  let ended = 0;
  /** By the index of the call: the characters of its arguments so far. */
  const counted = new Map<number, number>();

  function count(length: number) {
    characters += length;
    if (characters > limits.answerCharacters) throw answerTooLarge(host, "answerCharacters", limits);
  }

  function holds(name: "calls" | "blocks", number: number) {
    if (number > limits[name]) throw answerTooLarge(host, name, limits);
  }

  function addArguments(index: number, length: number) {
    counted.set(index, (counted.get(index) ?? 0) + length);
    holds("calls", counted.size);
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
          // Usually the deltas have been counted already.
          addArguments(index, Math.max(0, event.arguments.length - (counted.get(index) ?? 0)));
        }
      }
    },
  };
}
