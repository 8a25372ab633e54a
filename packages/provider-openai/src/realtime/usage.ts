import type { Usage } from "@cogency/protocol";
import { isObject, numberOf } from "@cogency/provider/http";

/** OpenAI counts cached tokens as part of the input; our counts are disjoint. Reasoning is part of the output in both. */
export function toUsage(usage: Readonly<Record<string, unknown>>): Usage {
  const input = isObject(usage.input_token_details) ? usage.input_token_details : {};
  const output = isObject(usage.output_token_details) ? usage.output_token_details : {};
  const cacheRead = numberOf(input.cached_tokens, 0);
  return {
    input: Math.max(0, numberOf(usage.input_tokens, 0) - cacheRead),
    output: numberOf(usage.output_tokens, 0),
    cacheRead,
    cacheWrite: 0,
    reasoning: numberOf(output.reasoning_tokens, 0),
  };
}
