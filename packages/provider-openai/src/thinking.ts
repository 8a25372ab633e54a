import type { JsonObject } from "@cogency/protocol";
import type { ThinkingLevel } from "@cogency/provider";
import type { ThinkingWays } from "@cogency/provider/http";

/** The words of OpenAI's wires for a level. Models know some of them: https://platform.openai.com/docs/guides/reasoning. */
const efforts: Readonly<Record<ThinkingLevel, readonly string[]>> = {
  off: ["none", "minimal"],
  low: ["low"],
  medium: ["medium"],
  high: ["high"],
  max: ["xhigh", "high"],
};

/** Chat Completions. */
export const chatThinking = waysOf((effort) => ({ reasoning_effort: effort }));

/** The Responses API. */
export const responsesThinking = waysOf((effort) => ({ reasoning: { effort } }));

function waysOf(fieldsOf: (effort: string) => JsonObject): ThinkingWays {
  return ({ thinking }) =>
    efforts[thinking].map((effort, at) => ({ options: fieldsOf(effort), ...(at > 0 && { instead: effort }) }));
}
