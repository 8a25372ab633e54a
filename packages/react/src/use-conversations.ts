import type { Client, Conversations, ConversationsSnapshot } from "@cogency/client";
import { useMemo, useSyncExternalStore } from "react";
import { bound } from "./bound.ts";

/** The list of conversations, and what can be done with it. */
export type ConversationsView = ConversationsSnapshot & Readonly<Omit<Conversations, "snapshot" | "subscribe">>;

/**
 * Follows the list of the user's conversations while the component is mounted, and renders again after each change. Rendered on a server
 * it asks nothing, and the `status` is `loading`.
 *
 * @param client the same object in each render, as for {@link useConversation}
 */
export function useConversations(client: Pick<Client, "conversations">): ConversationsView {
  const { conversations } = client;
  const actions = useMemo(() => bound(conversations, ["subscribe", "more", "reconnect"]), [conversations]);
  const snapshot = useSyncExternalStore(
    actions.subscribe,
    () => conversations.snapshot,
    () => nothingKnown,
  );
  return useMemo(() => ({ ...snapshot, more: actions.more, reconnect: actions.reconnect }), [snapshot, actions]);
}

/** The snapshot of a list that nobody follows, as on a server. */
const nothingKnown = {
  conversations: [],
  status: "loading",
  hasMore: false,
  connection: "connecting",
} satisfies ConversationsSnapshot;
