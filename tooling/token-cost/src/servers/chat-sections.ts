import type { Section } from "./asked.ts";

interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: object }[];
  readonly response_format?: object;
}

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly function: object }[];
}

const kinds = { system: "system", user: "user", assistant: "assistant", tool: "result" } as const;

/** What a model reads of a Chat Completions request: tools, the schema that binds the answer, the messages. Not ids and roles. */
export function chatSections(body: unknown): Section[] {
  const { messages, tools = [], response_format: format } = body as Body;
  return [
    ...tools.map((tool): Section => ({ kind: "tool", text: JSON.stringify(tool.function) })),
    ...(format ? [{ kind: "tool", text: JSON.stringify(format) } as const] : []),
    ...messages.flatMap(({ role, content, reasoning_content: reasoning = "", tool_calls: calls = [] }): Section[] => [
      ...[reasoning, content ?? ""].filter((text) => text !== "").map((text) => ({ kind: kinds[role], text })),
      ...calls.map((call): Section => ({ kind: "call", text: JSON.stringify(call.function) })),
    ]),
  ];
}
