import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

type Part = Exclude<LanguageModelV4Message["content"], string>[number];

/** The prompt for models of specification v3 and v2, in which files are base64 text or a URL, and whose answers have fewer kinds of parts. */
export function olderPrompt(prompt: LanguageModelV4Prompt): object[] {
  return prompt.map((message) =>
    message.role === "system" ? message : { ...message, content: message.content.flatMap(olderPart) },
  );
}

function olderPart(part: Part): object[] {
  if (part.type === "custom" || part.type === "reasoning-file") return [];
  if (part.type !== "file") return [part];
  const { data } = part;
  if (data.type === "data") return [{ ...part, data: data.data }];
  return data.type === "url" ? [{ ...part, data: data.url }] : [];
}
