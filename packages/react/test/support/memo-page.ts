import type { Client, Part } from "@cogency/client";
import { createElement, memo } from "react";
import { type ConversationView, useConversation } from "../../src/index.ts";

interface MemoPageProps {
  client: Client;
  seen: ConversationView[];
  /** Gets the parts that are rendered. */
  onPart: (part: Part) => void;
}

/** A page whose parts render only when they have changed. */
export function MemoPage({ client, seen, onPart }: MemoPageProps) {
  const view = useConversation(client, "c");
  seen.push(view);
  return view.parts.map((part, at) => createElement(MemoPart, { part, onPart, key: at }));
}

const MemoPart = memo(function MemoPart({ part, onPart }: { part: Part } & Pick<MemoPageProps, "onPart">) {
  onPart(part);
  return null;
});
