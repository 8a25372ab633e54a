import type { LogEvent } from "@cogency/protocol";
import { type CompactionPlan, planOf } from "./compaction-plan.ts";
import { settingsFor } from "./compaction-settings.ts";
import { charactersPerToken, estimateOf } from "./estimate.ts";
import { outlineOf } from "./outline.ts";

/** What a compaction by hand would replace. */
export interface NowPlan {
  plan: CompactionPlan;
  /** Tokens that its summary should have at most. */
  summaryTokens: number;
  /** Tokens by which it would make the next request smaller. */
  freed: number;
}

/** Tokens of a part of a conversation that is not worth a summary. */
const shortest = 500;

/**
 * Plans a compaction of all but the last round. Undefined if nothing may be replaced.
 *
 * @param isFurther whether a part of the same compaction is done already: the rest may be short
 */
export function planNow(
  log: readonly LogEvent[],
  window = Number.MAX_SAFE_INTEGER,
  isFurther = false,
): NowPlan | undefined {
  const tokens = estimateShown(log);
  const plan = planOf({ ...settingsFor({ keep: 0 }, window) }, { log, tokens, fixedTokens: 0 }, 0);
  if (!plan || (!isFurther && plan.tokens < shortest)) return undefined;
  const summaryTokens = Math.max(64, Math.min(2000, Math.floor(plan.tokens / 4)));
  const before = (plan.before?.text.length ?? 0) / charactersPerToken;
  return { plan, summaryTokens, freed: Math.max(0, Math.floor(plan.tokens + before - summaryTokens)) };
}

/** Tokens of the events that requests show, and of the summary. */
export function estimateShown(log: readonly LogEvent[]): number {
  const last = outlineOf(log).summaries.at(-1);
  return Math.ceil(estimateOf(log.slice(last?.upTo ?? 0)) + (last?.text.length ?? 0) / charactersPerToken);
}
