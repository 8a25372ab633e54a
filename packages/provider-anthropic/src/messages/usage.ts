import type { Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { isObject, numberOf } from "@cogency/provider/http";

/**
 * The usage after a report of the server. The server reports totals, and a count that it leaves out is unchanged.
 * Anthropic's `input_tokens` includes neither the tokens read from the cache nor those written to it, as ours.
 */
export function withUsage(usage: Usage | undefined, reported: unknown): Usage | undefined {
  if (!isObject(reported)) return usage;
  const { input, output, cacheRead, cacheWrite, reasoning } = usage ?? zeroUsage;
  const details = isObject(reported.output_tokens_details) ? reported.output_tokens_details : {};
  return {
    input: numberOf(reported.input_tokens, input),
    output: numberOf(reported.output_tokens, output),
    cacheRead: numberOf(reported.cache_read_input_tokens, cacheRead),
    cacheWrite: numberOf(reported.cache_creation_input_tokens, cacheWrite),
    reasoning: numberOf(details.thinking_tokens, reasoning),
  };
}
