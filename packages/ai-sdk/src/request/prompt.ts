import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AssistantMessage, Attachment, ModelMessage, ToolMessage, UserMessage } from "@cogency/protocol";
import { toFilePart } from "./file-part.ts";
import { replay } from "./replay.ts";

type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ToolContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];

/**
 * A conversation as the prompt of a call. Messages are translated one by one, so that a conversation that extends an earlier one extends
 * its prompt too.
 *
 * @param owner the provider and the model, whose native blocks are sent back
 */
export function toPrompt(
  system: string,
  messages: readonly ModelMessage[],
  owner: { readonly name: string; readonly model: string },
): LanguageModelV4Prompt {
  return [
    ...(system.trim() === "" ? [] : [{ role: "system", content: system } as const]),
    ...messages.flatMap((message) => toMessages(message, owner)),
  ];
}

/** Servers refuse an empty text. */
const emptyMessage = "(empty message)";

function toMessages(message: ModelMessage, owner: { name: string; model: string }): LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: userContent(message.content) }];
    case "assistant":
      return [{ role: "assistant", content: replay(message, owner) ?? assistantContent(message) }];
    case "tool":
      return [{ role: "tool", content: message.results.map(toResult) }, ...attachmentMessages(message)];
  }
}

function userContent(content: UserMessage["content"]): UserContent {
  if (typeof content === "string") return [{ type: "text", text: content || emptyMessage }];
  return content.map((part) => (part.kind === "text" ? { type: "text", text: part.text } : toFilePart(part)));
}

function assistantContent({ content, calls = [] }: AssistantMessage): AssistantContent {
  return [
    ...(content === "" ? [] : [{ type: "text", text: content } as const]),
    ...calls.map(({ id, name, args }) => ({ type: "tool-call", toolCallId: id, toolName: name, input: args }) as const),
  ];
}

/** Not every model tells its server that a result is an error, so the text says it too. */
function toResult({ id, name, content, failed }: ToolMessage["results"][number]): ToolContent[number] {
  const output = failed
    ? ({ type: "error-text", value: `Error: ${content}` } as const)
    : ({ type: "text", value: content } as const);
  return { type: "tool-result", toolCallId: id, toolName: name, output };
}

/**
 * Attachments of results as a message of the user after them. Results may hold files in each specification, but in other shapes, and models
 * whose servers take no files there send them as text, megabytes of base64.
 */
function attachmentMessages({ results }: ToolMessage): LanguageModelV4Message[] {
  const content = results.flatMap(({ id, name, attachments = [] }) =>
    attachments.length === 0 ? [] : [labelOf(id, name), ...attachments.map((one: Attachment) => toFilePart(one))],
  );
  return content.length === 0 ? [] : [{ role: "user", content }];
}

function labelOf(id: string, name: string): UserContent[number] {
  return { type: "text", text: `Files from the result of ${name} (${id}):` };
}
