import type { Usage } from "@cogency/protocol";
import type OpenAI from "openai";

export interface WireUsage extends Partial<OpenAI.CompletionUsage> {
  prompt_cache_hit_tokens?: number | null;
}

/**
 * OpenAI counts cached tokens as part of the prompt, as does DeepSeek under a name of its own; ours are disjoint.
 * Reasoning is part of the output in both.
 */
export function toUsage(usage: WireUsage): Usage {
  const prompt = count(usage.prompt_tokens);
  const details = usage.prompt_tokens_details;
  const cacheRead = Math.min(prompt, count(details?.cached_tokens ?? usage.prompt_cache_hit_tokens));
  const cacheWrite = Math.min(prompt - cacheRead, count(details?.cache_write_tokens));
  const reasoning = count(usage.completion_tokens_details?.reasoning_tokens);
  return {
    input: prompt - cacheRead - cacheWrite,
    // Some servers count the reasoning beside the output instead of in it.
    output: Math.max(count(usage.completion_tokens), reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}
