import type { ModelMessage, Usage } from "@cogency/protocol";
import { attachmentsOf, contentText } from "../content.ts";
import type { ModelRequest } from "../provider.ts";
import { zeroUsage } from "./usage.ts";

/** The usual ratio for English text and code. */
const charactersPerToken = 4;

/** About an image of a million pixels, or a page of a document. */
const tokensPerAttachment = 1_500;

/**
 * Estimates the usage of a request whose answer was aborted before the server reported it: one token for four UTF-16 code
 * units, rounded up, and 1,500 for an attachment, whatever its size.
 *
 * @param outputText everything that was generated, reasoning included
 */
export function estimateUsage(request: ModelRequest, outputText: string): Usage {
  return {
    ...zeroUsage,
    input: tokens(inputText(request)) + tokensPerAttachment * request.messages.flatMap(attachmentsOf).length,
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
  return contentText(message.content);
}

function tokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
