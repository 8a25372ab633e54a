import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import type { Follow } from "../follow.ts";

/** The chat of the page, without a screen. */
export const followAiSdk: Follow = async (url, id, fetch, onText) => {
  const chat = new Chat<UIMessage>({
    id,
    transport: new DefaultChatTransport({ api: `${url}/api/chat`, fetch }),
  });
  const text = () =>
    chat.messages
      .filter(({ role }) => role === "assistant")
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])))
      .join("");
  const tell = () => onText(text(), chat.status === "ready");
  const stops = [chat["~registerMessagesCallback"](tell), chat["~registerStatusCallback"](tell)];
  return {
    send: (words) => chat.sendMessage({ text: words }),
    stop() {
      for (const stop of stops) stop();
      void chat.stop();
    },
  };
};
