import type { Client, Conversation, ConversationSnapshot } from "@cogency/client";
import type { ToolCall } from "@cogency/protocol";
import { useMemo, useSyncExternalStore } from "react";
import { bound } from "./bound.ts";

/** What is known of a conversation, and what can be done there. The functions are the same as long as the conversation is. */
export type ConversationView<Call extends ToolCall = ToolCall> = ConversationSnapshot<Call> &
  Readonly<Omit<Conversation<Call>, "snapshot" | "subscribe">>;

/**
 * Follows a conversation while the component is mounted, and renders again after each change: at most once in a frame, and a letter makes
 * one new part. Components with the same conversation share one stream. With another `id` it returns what is known of that one, and
 * nothing of the one before. Rendered on a server it asks nothing, and the `status` is `loading`.
 *
 * @param client the same object in each render: made outside of the component, or kept in its state
 * @param id the name of the conversation, whether it exists or not: the first message begins it
 */
export function useConversation<Call extends ToolCall>(client: Client<Call>, id: string): ConversationView<Call> {
  const conversation = useMemo(() => client.conversation(id), [client, id]);
  const actions = useMemo(() => bound(conversation, names), [conversation]);
  const snapshot = useSyncExternalStore(
    actions.subscribe,
    () => conversation.snapshot,
    () => nothingKnown,
  );
  return useMemo(() => {
    const { subscribe, ...rest } = actions;
    return { id, ...snapshot, ...rest };
  }, [id, snapshot, actions]);
}

const names = [
  "subscribe",
  "send",
  "steer",
  "approve",
  "deny",
  "answer",
  "cancel",
  "retry",
  "discard",
  "describe",
  "fork",
  "rename",
  "delete",
  "reconnect",
] as const satisfies readonly (keyof Conversation)[];

/** The snapshot of a conversation that nobody follows, as on a server. */
const nothingKnown = {
  parts: [],
  status: "loading",
  connection: "connecting",
  title: "",
  waiting: [],
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
} satisfies ConversationSnapshot;
