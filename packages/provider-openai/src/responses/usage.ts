import type { Usage } from "@cogency/protocol";
import { isObject } from "@cogency/provider/http";
import { countOf } from "../wire-values.ts";

/** OpenAI counts cached tokens as part of the input; our counts are disjoint. Reasoning is part of the output in both. */
export function toUsage(usage: Readonly<Record<string, unknown>>): Usage {
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const cacheRead = countOf(input.cached_tokens);
  const cacheWrite = countOf(input.cache_write_tokens);
  const reasoning = countOf(output.reasoning_tokens);
  return {
    input: Math.max(0, countOf(usage.input_tokens) - cacheRead - cacheWrite),
    // Some servers count the reasoning beside the output instead of in it.
    output: Math.max(countOf(usage.output_tokens), reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}
