import type { Usage } from "@cogency/protocol";
import { countOf } from "../wire-values.ts";
import type { WireUsage } from "./wire.ts";

/**
 * OpenAI counts cached tokens as part of the prompt, as does DeepSeek under a field of its own; our counts are disjoint.
 * Reasoning is part of the output in both.
 */
export function toUsage(usage: WireUsage): Usage {
  const prompt = countOf(usage.prompt_tokens);
  const details = usage.prompt_tokens_details;
  const cacheRead = Math.min(prompt, countOf(details?.cached_tokens ?? usage.prompt_cache_hit_tokens));
  const cacheWrite = Math.min(prompt - cacheRead, countOf(details?.cache_write_tokens));
  return { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, ...generated(usage) };
}

/** xAI counts the reasoning beside the output, not in it, and Gemini in the total only: the total decides. */
function generated(usage: WireUsage): Pick<Usage, "output" | "reasoning"> {
  const output = countOf(usage.completion_tokens);
  const reported = usage.completion_tokens_details?.reasoning_tokens;
  const beside = countOf(usage.total_tokens) - countOf(usage.prompt_tokens) - output;
  const reasoning = typeof reported === "number" ? countOf(reported) : Math.max(0, beside);
  return { output: beside > 0 && beside === reasoning ? output + beside : Math.max(output, reasoning), reasoning };
}
