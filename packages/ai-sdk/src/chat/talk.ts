import type { Visit } from "@cogency/server/bridge";
import type { Key } from "@cogency/storage";
import { Conversation, type Told } from "./out/conversation.ts";

/** A conversation as its log has it now. */
export interface Talk {
  readonly key: Key;
  readonly conversation: Conversation;
  /** What each event told. */
  readonly told: readonly (Told & { readonly seq: number })[];
  readonly state: Awaited<ReturnType<Visit["read"]>>["state"];
  /** The number of the last event; 0 if there is none. */
  readonly last: number;
}

export async function readTalk(visit: Visit, name: string): Promise<Talk> {
  const key = visit.keyOf(name);
  const { events, state, last } = await visit.read(key);
  const conversation = new Conversation();
  const told = events.flatMap((event) =>
    conversation.read({ type: "event", event }).map((one) => ({ ...one, seq: event.seq })),
  );
  return { key, conversation, told, state, last };
}
