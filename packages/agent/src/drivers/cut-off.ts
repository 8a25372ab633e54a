import type { FinishReason, Usage } from "@cogency/protocol";

/**
 * What cut an answer off, as the rest of a sentence: "Your message was cut off …". Undefined for an answer that was not.
 *
 * @param most the limit that the request sets (`maxOutputTokens`)
 */
export function cutOff(finish: FinishReason | undefined, most: number | undefined, usage?: Usage): string | undefined {
  if (finish === "content_filter") return "by the provider's content filter";
  if (finish !== "length") return undefined;
  if (most !== undefined) return `at ${most} tokens (\`maxOutputTokens\`)`;
  const isCounted = usage !== undefined && !usage.estimated && usage.output > 0;
  return isCounted ? `at ${usage.output} tokens, the output limit of the model` : "at the output limit of the model";
}

/** How the limit that cut an answer off is raised, for whoever runs the agent. @param most the limit that the request sets */
export function wayPastLimit(most: number | undefined): string {
  return most === undefined
    ? "`request.maxOutputTokens` raises the limit, if the model allows more."
    : "Raise `request.maxOutputTokens`, if the model allows more.";
}
