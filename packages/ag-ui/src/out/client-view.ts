import type { AssistantMessage, Message } from "@ag-ui/core";

/** What a client has of a conversation, as its request says. It decides what the client is told, and nothing else. */
export interface ClientView {
  /** All messages of its request. */
  readonly messages: readonly Message[];
  /** The ids of those that are new: the log does not have them yet. */
  readonly news: ReadonlySet<string>;
}

/** Whether the client shows what the log holds: then it needs no snapshot. */
export function showsSame({ messages, news }: ClientView, shown: readonly Message[]): boolean {
  const has = keysOf(messages.filter(({ id }) => !news.has(id)));
  const needs = keysOf(shown);
  return has.length === needs.length && new Set([...has, ...needs]).size === new Set(needs).size;
}

function keysOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
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
      default:
        return [];
    }
  });
}

function callsOf({ toolCalls = [] }: AssistantMessage): string {
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
