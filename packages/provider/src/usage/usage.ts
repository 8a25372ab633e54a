import type { Usage } from "@cogency/protocol";

export const zeroUsage: Readonly<Usage> = Object.freeze({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
});

/** The sum, field by field. It is marked `estimated` if any part is. */
export function sumUsage(...parts: readonly Readonly<Usage>[]): Usage {
  const sum: Usage = { ...zeroUsage };
  for (const part of parts) {
    sum.input += part.input;
    sum.output += part.output;
    sum.cacheRead += part.cacheRead;
    sum.cacheWrite += part.cacheWrite;
    sum.reasoning += part.reasoning;
    if (part.estimated) sum.estimated = true;
  }
  return sum;
}
