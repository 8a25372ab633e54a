import type { TokenUsage } from "@ag-ui/core";
import type { Usage } from "@cogency/protocol";

/** The same as AG-UI counts: its input tokens include those of a cache. Models and providers stay on the server. */
export function tokenUsageOf({ input, output, cacheRead, cacheWrite, reasoning }: Usage): TokenUsage {
  return {
    ...totalsOf({ input, output, cacheRead, cacheWrite, reasoning }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(cacheRead > 0 && { cachedInputTokens: cacheRead }),
    ...(cacheWrite > 0 && { cacheWriteInputTokens: cacheWrite }),
  };
}

export function totalsOf({ input, output, cacheRead, cacheWrite }: Usage) {
  const inputTokens = input + cacheRead + cacheWrite;
  return { inputTokens, outputTokens: output, totalTokens: inputTokens + output };
}
