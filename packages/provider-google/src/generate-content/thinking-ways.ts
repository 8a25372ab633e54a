import type { JsonObject } from "@cogency/protocol";
import type { ThinkingLevel } from "@cogency/provider";
import type { ThinkingWay, ThinkingWays } from "@cogency/provider/http";
import type { GoogleOptions } from "../options.ts";

/**
 * Models since Gemini 3 take a level, and earlier ones a budget of tokens: https://ai.google.dev/gemini-api/docs/thinking. Each is
 * asked in its own way first.
 *
 * @param options those of the provider; its `includeThoughts` stays
 */
export function thinkingWays({ model: own = "", thinking: { includeThoughts } = {} }: GoogleOptions): ThinkingWays {
  const others = includeThoughts === undefined ? {} : { includeThoughts };
  const way = (config: JsonObject): ThinkingWay => ({
    options: { generationConfig: { thinkingConfig: { ...others, ...config } } },
  });
  return ({ thinking, model = own }) => {
    const byBudget = way({ thinkingBudget: budgets[thinking] });
    // No level is off: the least is `minimal`, which some models do not have.
    if (thinking === "off")
      return [byBudget, ...["minimal", "low"].map((level) => ({ ...way({ thinkingLevel: level }), instead: level }))];
    const byLevel = way({ thinkingLevel: thinking === "max" ? "high" : thinking });
    return /gemini-[12]\b/.test(model) ? [byBudget, byLevel] : [byLevel, byBudget];
  };
}

/** Tokens, within those of every model. */
const budgets: Readonly<Record<ThinkingLevel, number>> = { off: 0, low: 2048, medium: 8192, high: 16_384, max: 24_576 };
