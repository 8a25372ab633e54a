import type { Usage } from "@cogency/protocol";
import { isObject } from "@cogency/provider/http";
import { countOf } from "../wire-values.ts";

/**
 * The usage of Responses, and of Realtime, which names the details in the singular. OpenAI counts cached tokens as part of the
 * input; our counts are disjoint. Reasoning is part of the output in both.
 */
export function toUsage(usage: Readonly<Record<string, unknown>>): Usage {
  const { input_tokens_details, input_token_details, output_tokens_details, output_token_details } = usage;
  const input = objectOf(input_tokens_details ?? input_token_details);
  const output = objectOf(output_tokens_details ?? output_token_details);
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

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
