import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { McpCallHost } from "../call-host.ts";
import { contentBlock } from "../content.ts";
import type { McpOfferedPrompt, McpPromptMessage } from "./offered-prompt.ts";

export function listedPrompt({ name, title, description, args = [] }: McpOfferedPrompt): Prompt {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    arguments: args.map((one) => ({
      name: one.name,
      ...(one.description !== undefined && { description: one.description }),
      required: one.required === true,
    })),
  };
}

/** @throws ProtocolError for a prompt that is not offered, or without an argument that it needs */
export async function promptMessages(
  prompts: readonly McpOfferedPrompt[],
  { name, arguments: args = {} }: GetPromptRequest["params"],
  host: McpCallHost,
): Promise<GetPromptResult> {
  const prompt = promptNamed(prompts, name);
  const known = prompt.args ?? [];
  const missing = known.find((one) => one.required === true && !Object.hasOwn(args, one.name));
  if (missing) throw invalid(`The prompt ${name} needs the argument ${JSON.stringify(missing.name)}.`);
  const given = Object.entries(args).filter(([key]) => known.some((one) => one.name === key));
  const messages = await prompt.messages(Object.fromEntries(given), host);
  const list = typeof messages === "string" ? [{ role: "user" as const, content: messages }] : messages;
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    messages: list.map(({ role, content }: McpPromptMessage) => ({ role, content: contentBlock(content) })),
  };
}

export function promptNamed(prompts: readonly McpOfferedPrompt[], name: string): McpOfferedPrompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  const names = prompts.map((prompt) => prompt.name).join(", ");
  throw invalid(`There is no prompt ${JSON.stringify(name)}. The prompts: ${names || "none"}.`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
