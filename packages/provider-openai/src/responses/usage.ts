import type { Usage } from "@cogency/protocol";
import { isObject } from "../wire-values.ts";

/** OpenAI counts cached tokens as part of the input; ours are disjoint. Reasoning is part of the output in both. */
export function toUsage(usage: Readonly<Record<string, unknown>>): Usage {
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const cacheRead = count(input.cached_tokens);
  const cacheWrite = count(input.cache_write_tokens);
  const reasoning = count(output.reasoning_tokens);
  return {
    input: Math.max(0, count(usage.input_tokens) - cacheRead - cacheWrite),
    // Some servers count the reasoning beside the output instead of in it.
    output: Math.max(count(usage.output_tokens), reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}
