import type { TokenUsage } from "@ag-ui/core";
import type { Usage } from "@cogency/protocol";

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function sumOf(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}

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
