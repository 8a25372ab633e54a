import type { Usage } from "@cogency/protocol";
import { isObject } from "@cogency/provider/http";

/** The counts of a `finish` part; undefined if the model has none. */
export function readUsage(given: unknown, metadata: unknown): Usage | undefined {
  if (!isObject(given)) return undefined;
  const usage = isObject(given.inputTokens) || isObject(given.outputTokens) ? nested(given) : flat(given, metadata);
  return usage && { ...usage, reasoning: Math.min(usage.reasoning, usage.output) };
}

/** Specifications v4 and v3. */
function nested({ inputTokens, outputTokens }: Record<string, unknown>): Usage | undefined {
  const given = isObject(inputTokens) ? inputTokens : {};
  const made = isObject(outputTokens) ? outputTokens : {};
  const [total, noCache, output] = [count(given.total), count(given.noCache), count(made.total)];
  if (total === undefined && noCache === undefined && output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [count(given.cacheRead) ?? 0, count(given.cacheWrite) ?? 0];
  const reasoning = count(made.reasoning) ?? 0;
  return {
    input: noCache ?? Math.max(0, (total ?? 0) - cacheRead - cacheWrite),
    output: output ?? (count(made.text) ?? 0) + reasoning,
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

/**
 * Specification v2, which does not say whether `inputTokens` include the cached ones, nor `outputTokens` those of reasoning: the models of
 * `@ai-sdk/anthropic` 2 leave out the first, and those of `@ai-sdk/google` 2 the second.
 */
function flat(given: Record<string, unknown>, metadata: unknown): Usage | undefined {
  const [input, output] = [count(given.inputTokens), count(given.outputTokens)];
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = count(given.cachedInputTokens) ?? 0;
  const reasoning = count(given.reasoningTokens) ?? 0;
  const anthropic = isObject(metadata) && isObject(metadata.anthropic) ? metadata.anthropic : undefined;
  const isWithoutCache = anthropic !== undefined || cacheRead > (input ?? 0);
  const made = output ?? 0;
  const total = count(given.totalTokens);
  const isWithoutReasoning = reasoning > made || (reasoning > 0 && total === (input ?? 0) + made + reasoning);
  return {
    input: isWithoutCache ? (input ?? 0) : (input ?? 0) - cacheRead,
    output: isWithoutReasoning ? made + reasoning : made,
    cacheRead,
    cacheWrite: count(anthropic?.cacheCreationInputTokens) ?? 0,
    reasoning,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
