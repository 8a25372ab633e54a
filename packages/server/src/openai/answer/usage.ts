import type { Usage } from "@cogency/protocol";

/** OpenAI counts tokens of the cache as part of the input. */
export function inputOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** The details of the input and of the output, and the total: the same in both wires but for the names of the fields. */
export function usageDetails(usage: Usage) {
  return {
    input: { cached_tokens: usage.cacheRead, ...(usage.cacheWrite > 0 && { cache_write_tokens: usage.cacheWrite }) },
    output: { reasoning_tokens: usage.reasoning },
    total: inputOf(usage) + usage.output,
  };
}
