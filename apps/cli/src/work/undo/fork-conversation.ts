import { randomUUID } from "node:crypto";
import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { carryCopies, dropCopies } from "./carry-copies.ts";

/** Where a fork is made. */
export interface ForkedIn {
  agent: Pick<Agent, "fork">;
  store: Store;
  /** Where the store is. */
  place: string;
}

export interface ForkWanted {
  /** How many events of the log the fork begins with. Defaults to all. */
  at?: number | undefined;
  /** Its name. Defaults to a random one. */
  as?: string | undefined;
  /** Whether it also takes back what was undone in the original. Defaults to false. */
  undoes?: boolean;
}

/**
 * Begins a conversation with the first events of another one, and with all that is kept of them beside the log. That is copied first: a
 * process that dies before the end leaves no fork, so that a second attempt makes a whole one.
 *
 * @returns the name of the fork, and a sentence for the person if the copies could not be made
 * @throws RangeError as `fork` of an agent, StoreError
 */
export async function forkConversation(
  from: string,
  { at, as = randomUUID(), undoes = false }: ForkWanted,
  { agent, store, place }: ForkedIn,
): Promise<{ fork: string; problem: string | undefined }> {
  const isNew = async () => (await store.load({ conversation: as }, { limit: 1 })).length === 0;
  const log = await store.load({ conversation: from });
  const length = at ?? log.length;
  let problem: string | undefined;
  if (await isNew()) {
    const events = log.slice(0, length);
    const calls = events.flatMap((event) => (event.type === "call" ? (event.id ?? []) : []));
    problem = await carryCopies(from, as, undoes ? undefined : new Set(calls), place);
  }
  try {
    return { fork: await agent.fork(from, { at: length, as }), problem };
  } catch (error) {
    // Another process may have begun it since.
    if (await isNew().catch(() => false)) await dropCopies(as, place).catch(() => {});
    throw error;
  }
}
