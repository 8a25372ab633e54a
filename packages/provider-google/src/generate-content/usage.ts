import type { Usage } from "@cogency/protocol";
import { isObject, numberOf } from "@cogency/provider/http";

/** The counts of the wire, each of which overlaps with others. */
export interface Counts {
  /** Includes `cached`, but not `toolUse`. */
  readonly prompt: number;
  readonly cached: number;
  /** Results of tools that ran on the server. */
  readonly toolUse: number;
  /** Does not include `thoughts`. */
  readonly candidates: number;
  readonly thoughts: number;
}

/** The counts after a report of the server. The server reports totals, and a count that it leaves out is unchanged. */
export function withCounts(counts: Counts | undefined, reported: unknown): Counts | undefined {
  if (!isObject(reported) || !names.some((name) => typeof reported[name] === "number")) return counts;
  return {
    prompt: numberOf(reported.promptTokenCount, counts?.prompt ?? 0),
    cached: numberOf(reported.cachedContentTokenCount, counts?.cached ?? 0),
    toolUse: numberOf(reported.toolUsePromptTokenCount, counts?.toolUse ?? 0),
    candidates: numberOf(reported.candidatesTokenCount, counts?.candidates ?? 0),
    thoughts: numberOf(reported.thoughtsTokenCount, counts?.thoughts ?? 0),
  };
}

const names = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "toolUsePromptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
] as const;

/** The server does not say what it writes to its cache. */
export function toUsage({ prompt, cached, toolUse, candidates, thoughts }: Counts): Usage {
  return {
    input: Math.max(0, prompt - cached) + toolUse,
    output: candidates + thoughts,
    cacheRead: cached,
    cacheWrite: 0,
    reasoning: thoughts,
  };
}
