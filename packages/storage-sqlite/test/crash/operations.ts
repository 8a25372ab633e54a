import type { LogEvent } from "@cogency/protocol";
import type { InboxMessage, Key } from "@cogency/storage";
import type { Random } from "../support/random.ts";

/**
 * One operation of a writer. The events of an append follow from its unique `name`. With `takesMessage` it posts a message
 * under this name first, which the append then takes; it has a batch id then.
 */
export type Operation =
  | { kind: "append"; key: Key; name: string; count: number; hasBatchId: boolean; takesMessage: boolean }
  | { kind: "delete"; key: Key }
  | { kind: "lease"; key: Key }
  | { kind: "release"; key: Key }
  | { kind: "saveProfile"; user: string; text: string }
  | { kind: "deleteProfile"; user: string }
  | { kind: "search"; user: string | undefined; text: string };

/** One line of a writer's report: an operation before it starts, or its number when the store has acknowledged it. */
export type Report = { begin: Operation } | { done: number };

/** Only the writer deletes and leases its own conversations. All writers append to the shared one. */
export const sharedKey: Key = { conversation: "shared", user: "ada" };

export function ownKeys(writer: string): [Key, ...Key[]] {
  return [
    { conversation: `${writer} first`, user: "ada" },
    { conversation: `${writer} second` },
    { conversation: `${writer} third` },
  ];
}

export function profileUser(writer: string): string {
  return `user of ${writer}`;
}

/** `name` is one word of a search, `index` tells the operations of a run apart. */
export function randomOperation(random: Random, writer: string, run: string, index: number): Operation {
  const key = random.pick([sharedKey, ...ownKeys(writer)]);
  const own = random.pick(ownKeys(writer));
  const user = profileUser(writer);
  const name = `${run}o${index}`;
  const chance = random.next();
  if (chance < 0.04) return { kind: "delete", key: own };
  if (chance < 0.1) return { kind: "lease", key: own };
  if (chance < 0.13) return { kind: "release", key: own };
  if (chance < 0.19) return { kind: "saveProfile", user, text: name };
  if (chance < 0.2) return { kind: "deleteProfile", user };
  if (chance < 0.28) return { kind: "search", user: key.user, text: `${run}o${random.below(index + 1)}` };
  const takesMessage = random.next() < 0.4;
  const hasBatchId = takesMessage || random.next() < 0.5;
  return { kind: "append", key, name, count: 1 + random.below(20), hasBatchId, takesMessage };
}

/** Some of them are longer than a page of the database. */
export function eventsOf(name: string, count: number): LogEvent[] {
  return Array.from({ length: count }, (_, index): LogEvent => {
    const long = index % 7 === 3 ? ` ${"long text ".repeat(50 * count)}` : "";
    return { type: "user", content: `${name} ${index + 1} of ${count}${long}`, timestamp: 1_700_000_000 - index };
  });
}

/** The message that an append of this name takes. */
export function messageOf(name: string): InboxMessage {
  return { kind: "prompt", content: `${name} ${"long text ".repeat(name.length)}` };
}
