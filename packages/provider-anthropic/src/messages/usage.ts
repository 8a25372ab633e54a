import type { Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { isObject, numberOf } from "../wire-values.ts";

/**
 * What the server has told so far, with what it tells now: counts are totals, and one that is left out stays as it was.
 * Anthropic's `input_tokens` holds neither what was read from the cache nor what was written to it, as ours.
 */
export function withUsage(usage: Usage | undefined, told: unknown): Usage | undefined {
  if (!isObject(told)) return usage;
  const { input, output, cacheRead, cacheWrite, reasoning } = usage ?? zeroUsage;
  const details = isObject(told.output_tokens_details) ? told.output_tokens_details : {};
  return {
    input: numberOf(told.input_tokens, input),
    output: numberOf(told.output_tokens, output),
    cacheRead: numberOf(told.cache_read_input_tokens, cacheRead),
    cacheWrite: numberOf(told.cache_creation_input_tokens, cacheWrite),
    reasoning: numberOf(details.thinking_tokens, reasoning),
  };
}
