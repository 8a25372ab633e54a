import type { Redact, Store, StoredEvent } from "@cogency/storage";
import { fieldsOf } from "../profile/read-profile.ts";
import { ownWords } from "./own-words.ts";

/** What a person wrote in one message: one line, without secrets. */
export interface OwnMessage {
  readonly conversation: string;
  readonly seq: number;
  readonly said: number;
  readonly words: string;
  /** What the conversation belongs to. */
  readonly scope: string | undefined;
}

/** The most that one look reads. */
const most = {
  /** Conversations of the person, the latest first. */
  conversations: 50,
  /** Conversations that are looked at to find these: those of agents are among them. */
  summaries: 200,
  messages: 200,
} as const;

/**
 * The messages that a person wrote after one time and up to another, the latest 200, in their order. Left out are
 *
 * - words that nobody vouches for, and those of the program: notices, nudges
 * - what {@link ownWords} leaves out of a message
 * - conversations of agents, and logs without a proof of who began them, such as those that were imported
 * - in a fork, what was said before it
 */
export async function ownMessages(
  store: Pick<Store, "conversations" | "load">,
  user: string | undefined,
  { after, upTo, redact }: { after: number; upTo: number; redact: Redact },
): Promise<readonly OwnMessage[]> {
  const summaries = await store.conversations({ user, limit: most.summaries });
  const messages: OwnMessage[] = [];
  let own = 0;
  for (const { conversation, updatedAt } of summaries) {
    if (own === most.conversations) break;
    if (!(updatedAt > after)) continue;
    const key = { conversation, user };
    const begun = beginningOf(await store.load(key, { types: ["record"], limit: 2 }));
    if (!begun) continue;
    own++;
    const from = Math.max(after, begun.forkedAt);
    for (const event of await store.load(key, { types: ["user"], last: most.messages })) {
      const words = event.timestamp > from && event.timestamp <= upTo ? ownWords(event, redact) : undefined;
      if (words === undefined) continue;
      messages.push({ conversation, seq: event.seq, said: event.timestamp, words, scope: begun.scope });
    }
  }
  return messages.sort((one, other) => one.said - other.said || one.seq - other.seq).slice(-most.messages);
}

/** Undefined for a log that is not one of the person. */
function beginningOf([first, second]: readonly StoredEvent[]) {
  if (first?.type !== "record" || first.kind !== "origin") return undefined;
  const { scope, proof } = fieldsOf(first.data);
  const kind = second?.type === "record" ? second.kind : undefined;
  if (proof === undefined || kind === "parent") return undefined;
  const forkedAt = kind === "fork" && second ? second.timestamp : Number.NEGATIVE_INFINITY;
  return { scope: typeof scope === "string" ? scope : undefined, forkedAt };
}
