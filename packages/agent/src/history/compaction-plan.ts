import type { LogEvent } from "@cogency/protocol";
import type { CompactionSettings } from "./compaction-settings.ts";
import { charactersPerToken, estimateOf } from "./estimate.ts";
import type { NextRequest } from "./history.ts";
import { type Outline, outlineOf, unreadFrom } from "./outline.ts";
import type { Summary } from "./summaries.ts";

/** Which events a summary would stand for. */
export interface CompactionPlan {
  before: Summary | undefined;
  /** The first event that it would stand for, apart from those of the last summary. */
  from: number;
  upTo: number;
  /** Tokens of the events from the one to the other. */
  tokens: number;
  /** Tokens of the rounds at the end that no plan of this kind may cut: most often what the model has not read. */
  lastRound: number;
}

/** What a plan has to leave as it is. */
export type Kept = "unread" | "message" | "nothing";

/**
 * Chooses where to cut: the rounds before `upTo` are replaced. Undefined if nothing may be.
 *
 * @param limit tokens that the request is to have at most
 * @param kept `unread`: what the model has not read stays. `message`: only the last message of the user does; earlier ones that were
 * never answered may go. `nothing`: the results of the last step may go, too, and the model goes on from the summary of them
 */
export function planOf(
  settings: CompactionSettings,
  next: Pick<NextRequest, "log" | "tokens" | "fixedTokens">,
  limit: number,
  kept: Kept = "unread",
): CompactionPlan | undefined {
  const { log } = next;
  const outline = outlineOf(log);
  const before = outline.summaries.at(-1);
  const from = before?.upTo ?? 0;
  const rounds = outline.rounds.filter(({ start }) => start >= from);
  const sizes = sizesOf(log, rounds, before, next);
  const end = endOf(outline, rounds, kept);
  if (end <= 0) return undefined;
  const { keep, summaryTokens } = settings;
  const room = Math.min(keep, Math.max(0, limit - next.fixedTokens - summaryTokens));
  let last = end;
  const lastRound = sum(sizes.slice(last));
  while (last > 1 && sum(sizes.slice(last - 1)) <= room) last--;
  // What the model that writes the summary can read at once.
  let tokens = sum(sizes.slice(0, last));
  while (last > 1 && tokens > longestTranscript(settings)) tokens -= sizes[--last] as number;
  // The step that follows a user's message goes with it.
  if (last < end && rounds[last - 1]?.kind === "user") tokens += sizes[last++] as number;
  return { before, from, upTo: rounds[last]?.start ?? log.length, tokens, lastRound };
}

/** Tokens of a transcript that a model can sum up in one request. */
export function longestTranscript({ window, summaryTokens }: CompactionSettings): number {
  return 0.8 * (window - 2 * summaryTokens);
}

/** The tokens of each round, as many as the provider counts. */
function sizesOf(
  log: readonly LogEvent[],
  rounds: Outline["rounds"],
  before: Summary | undefined,
  { tokens, fixedTokens }: Pick<NextRequest, "tokens" | "fixedTokens">,
): number[] {
  const estimates = rounds.map(({ start }, i) => estimateOf(log.slice(start, rounds[i + 1]?.start)));
  // The provider may count more tokens than the estimate has.
  const estimate = sum(estimates) + (before?.text.length ?? 0) / charactersPerToken;
  const scale = Math.max(1, (tokens - fixedTokens) / Math.max(1, estimate));
  return estimates.map((size) => size * scale);
}

/** How many of the rounds may be replaced. */
function endOf(outline: Outline, rounds: Outline["rounds"], kept: Kept): number {
  const last = rounds.at(-1);
  if (kept === "unread") return rounds.findIndex(({ start }) => start === unreadFrom(outline));
  if (kept === "message") return last?.kind === "user" ? rounds.length - 1 : -1;
  return last?.kind === "acted" ? rounds.length : -1;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
