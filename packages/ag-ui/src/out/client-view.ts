import type { AssistantMessage, Message, ReasoningMessage, ToolMessage, UserMessage } from "@ag-ui/core";

/** What a client has of a conversation, as its request says. It decides what the client is told, and nothing else. */
export interface ClientView {
  /** Without those that are new. */
  readonly messages: readonly ClientMessage[];
  /** What the client has sent, and the log did not hold before. */
  readonly news: readonly (UserMessage | ToolMessage)[];
}

/** As much of a message as a client is compared by. */
export type ClientMessage =
  | Pick<UserMessage, "role" | "id">
  | Pick<ReasoningMessage, "role" | "id" | "content">
  | Pick<AssistantMessage, "role" | "id" | "content" | "toolCalls">
  | Pick<ToolMessage, "role" | "id" | "toolCallId">;

/** Whether the client shows what the log holds: then it needs no snapshot. */
export function showsSame(has: readonly ClientMessage[], shown: readonly Message[]): boolean {
  const there = has.map(keyOf);
  const needed = shown.flatMap((message) => (isCompared(message) ? keyOf(message) : []));
  return there.length === needed.length && new Set([...there, ...needed]).size === new Set(needed).size;
}

function isCompared(message: Message): message is Message & ClientMessage {
  return ["user", "reasoning", "assistant", "tool"].includes(message.role);
}

function keyOf(message: ClientMessage): string {
  switch (message.role) {
    case "user":
      return `user ${message.id}`;
    case "reasoning":
      return `reasoning ${message.id} ${message.content}`;
    case "assistant":
      return `assistant ${message.id} ${message.content ?? ""} ${callsOf(message)}`;
    case "tool":
      // Its id is that of whoever has the result: the client, for tools of its own.
      return `tool ${message.toolCallId}`;
  }
}

function callsOf({ toolCalls = [] }: Pick<AssistantMessage, "toolCalls">): string {
  return JSON.stringify(toolCalls.map((call) => [call.id, call.function.name, sameForm(call.function.arguments)]));
}

/** The text of arguments, however a model has written it. */
function sameForm(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
