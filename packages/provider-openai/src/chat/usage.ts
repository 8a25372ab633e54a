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
  return { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, ...generated(usage) };
}

/** xAI counts the reasoning beside the output, not in it, and Gemini in the total only: the total tells. */
function generated(usage: WireUsage): Pick<Usage, "output" | "reasoning"> {
  const output = count(usage.completion_tokens);
  const told = usage.completion_tokens_details?.reasoning_tokens;
  const beside = count(usage.total_tokens) - count(usage.prompt_tokens) - output;
  const reasoning = typeof told === "number" ? count(told) : Math.max(0, beside);
  return { output: beside > 0 && beside === reasoning ? output + beside : Math.max(output, reasoning), reasoning };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}
