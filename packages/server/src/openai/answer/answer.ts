import type { Change, TurnEnding } from "../../bridge/index.ts";
import type { Known } from "./known.ts";

/** One event of the stream of a wire, before it is text. */
export type WireEvent = Readonly<Record<string, unknown>>;

/**
 * Translates the changes of a turn into the events of one wire, and at the end has the whole answer.
 *
 * INVARIANT (same): the events of a stream, put together as clients do, are `body`.
 */
export interface Answer {
  begin(): WireEvent[];
  read(change: Change): WireEvent[];
  end(ending: TurnEnding): WireEvent[];
  /** The answer of a request that does not stream. */
  body(): WireEvent;
}

export interface AnswerSettings {
  /** The id of the answer. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
  readonly conversation: string;
  readonly tools: "hidden" | "text" | "reasoning";
  readonly questions: boolean;
  /** Has seen each change before the answer reads it. */
  readonly known: Known;
}
