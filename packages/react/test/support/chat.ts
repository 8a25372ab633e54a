import type { Client } from "@cogency/client";
import { createElement } from "react";
import { type ConversationView, useConversation } from "../../src/index.ts";

interface ChatProps {
  client: Client;
  id: string;
  /** Gets what each render got. */
  seen: ConversationView[];
}

/** Shows the texts of a conversation. */
export function Chat({ client, id, seen }: ChatProps) {
  const view = useConversation(client, id);
  seen.push(view);
  const texts = view.parts.map((part) => ("content" in part ? `${part.type}: ${part.content}` : part.type));
  return createElement("p", null, [view.status, ...texts].join("\n"));
}

/** Makes pages with a chat, and says what the last render got. */
export function chatOf({ client }: { client: Client }) {
  const seen: ConversationView[] = [];
  return {
    seen,
    last: () => seen.at(-1) as ConversationView,
    page: (id: string) => createElement(Chat, { client, id, seen }),
  };
}
