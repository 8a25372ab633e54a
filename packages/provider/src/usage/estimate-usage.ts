import type { ModelMessage, Usage } from "@cogency/protocol";
import type { ModelRequest } from "../provider.ts";
import { zeroUsage } from "./usage.ts";

/** What English text and code come to with the usual tokenizers. */
const charactersPerToken = 4;

/**
 * What a request has probably cost when the provider never told, because the generation was aborted: four UTF-16 code
 * units a token, rounded up. `outputText` is all that was generated, reasoning included.
 */
export function estimateUsage(request: ModelRequest, outputText: string): Usage {
  return {
    ...zeroUsage,
    input: tokens(inputText(request)),
    output: tokens(outputText),
    estimated: true,
  };
}

function inputText({ system, messages, tools }: ModelRequest): string {
  return [system, ...messages.map(messageText), tools ? JSON.stringify(tools) : ""].join("");
}

function messageText(message: ModelMessage): string {
  if (message.role === "tool") return message.results.map((result) => result.content).join("");
  if (message.role === "assistant" && message.calls) return message.content + JSON.stringify(message.calls);
  return message.content;
}

function tokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
