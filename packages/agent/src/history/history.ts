import type { LogEvent, ModelMessage, RecordEvent } from "@cogency/protocol";
import type { Shown } from "@cogency/protocol/host";
import type { ModelRequest, Price, Provider } from "@cogency/provider";
import type { LearnedWindow } from "./context-window.ts";

/**
 * What requests show of a conversation that grows. Made by `compaction`, `slidingWindow` and `transform` of
 * `@cogency/agent/history`. An object holds nothing of a conversation, so that one may serve any number of agents and runs.
 */
export interface History {
  /**
   * The first event that requests show, counted from 0; 0 for the whole log. A number that stands between a call and its result, or
   * elsewhere inside of a turn, has no effect. Called for each request.
   */
  firstShown?(log: readonly LogEvent[]): number;
  /**
   * The calls that requests leave out, because later ones stand for them, and words that stand before the first event shown. Called for
   * each request; the same array, grown, in each step of a run.
   */
  condense?(log: readonly LogEvent[]): Shown;
  /** What a request holds in place of these messages, which must not be changed. Called for each request. */
  transform?(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** Makes the next request smaller, if it is too large. Called before each request, and after one that the provider refused. */
  makeRoom?(next: NextRequest): Promise<RoomMade>;
}

/**
 * What became of a request: it is as it was, it is smaller now, or it cannot be made to fit, which ends the run with
 * `context_overflow` and this message.
 */
export type RoomMade = "same" | "smaller" | { overflow: string };

/** The request that a run is about to make. */
export interface NextRequest {
  /** The whole log, also what the request does not show. */
  readonly log: readonly LogEvent[];
  /** The name of the model that it goes to. */
  readonly model: string;
  /** Tokens that the model takes, if its provider says that. */
  readonly contextWindow: number | undefined;
  /** Its tokens: those that the provider counted in the request before, and an estimate of what came since. */
  readonly tokens: number;
  /** The tokens of its system prompt, tools and format. */
  readonly fixedTokens: number;
  /** The most tokens that its answer may have, if the agent's `request` says that. */
  readonly maxOutputTokens: number | undefined;
  /** What the provider threw, which refused the request; undefined before it is made. */
  readonly refusal: unknown;
  /** How many requests of this step the provider has refused. */
  readonly refusals: number;
  /** Of the run: another one for each run. */
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /**
   * Makes another request, of the run's model unless another provider is given. What it uses counts as used by the run, also if its
   * answer is not used. Undefined if the run's signal aborts.
   *
   * @throws RunError `provider`, also for an answer without text, and where the budget has too little left for a request of another
   * provider; if it has too little for one of the run's model, an error that ends the run with the reason of the budget
   */
  ask(
    request: ModelRequest,
    other?: { provider?: Provider | undefined; price?: Price | undefined },
  ): Promise<OwnAnswer | undefined>;
  /**
   * Stores a summary with what it used, in one append, and puts `compacted` on the timeline. Gives the request as it is then.
   *
   * @throws RunError `store`, `busy`, `not_stored`
   */
  summarize(summary: { upTo: number; text: string; window?: LearnedWindow }, used: RecordEvent): Promise<NextRequest>;
  /** Tells whoever reads the run of a failure that does not end it, as an `error` event. */
  report(code: string, content: string): Promise<void>;
}

/** The answer to a request that is no step. */
export interface OwnAnswer {
  text: string;
  /** The record of what the request used. */
  used: RecordEvent;
}

/** The first event that requests show, counted from 0. */
export function firstShown(history: readonly History[], log: readonly LogEvent[]): number {
  return Math.max(0, ...history.map((one) => one.firstShown?.(log) ?? 0));
}

/** What all of them leave out and add. */
export function condensed(history: readonly History[], log: readonly LogEvent[]): Shown {
  const all = history.flatMap((one) => one.condense?.(log) ?? []);
  const [only] = all;
  if (only === undefined || all.length === 1) return only ?? {};
  return {
    without: new Set(all.flatMap(({ without = [] }) => [...without])),
    words: (from) => all.flatMap((one) => one.words?.(from) ?? []).join("\n\n") || undefined,
  };
}
