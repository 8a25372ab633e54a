import type { ModelMessage } from "@cogency/protocol";
import { attachmentsOf, contentText, type ModelRequest, ProviderError } from "@cogency/provider";
import { alternating, wellFormed } from "@cogency/provider/http";
import type { ChatHistoryItem } from "node-llama-cpp";

/**
 * The conversation as chat templates take it: a system prompt, and then user and model in turns, of which the model's is next.
 *
 * @throws ProviderError `unsupported` for native tools and attachments
 */
export function chatHistory(request: ModelRequest): ChatHistoryItem[] {
  const { system, messages, tools } = wellFormed(request);
  if (tools?.length) {
    throw unsupported("has no native tool calls. Teach the tools in the text protocol, as its driver does");
  }
  const items = alternating(messages).map(historyItem);
  const begin: ChatHistoryItem[] = system === "" ? [] : [{ type: "system", text: system }];
  return [...begin, ...items, { type: "model", response: [] }];
}

function historyItem(message: ModelMessage): ChatHistoryItem {
  if (attachmentsOf(message).length > 0) throw unsupported("reads text alone. Leave attachments out");
  if (message.role === "user") return { type: "user", text: contentText(message.content) };
  if (message.role === "tool" || message.calls?.length) {
    throw unsupported("has no native tool calls. Give calls and results as text, as the text protocol does");
  }
  return { type: "model", response: [message.content] };
}

function unsupported(what: string): ProviderError {
  return new ProviderError("unsupported", `A model in a file ${what}.`);
}
