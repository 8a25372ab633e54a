import { finiteTime } from "../adapter/checked-numbers.ts";
import { messageText } from "../adapter/message-text.ts";
import { MessageConflictError } from "../errors.ts";
import type { InboxMessage, PostOptions, StoredMessage } from "../inbox.ts";

/** The messages of `memoryStore`. A `name` is that of a key (`keyName`). */
export interface MemoryInbox {
  /**
   * Returns whether the message is new.
   *
   * @throws MessageConflictError, StoreError `invalid_message`, RangeError
   */
  post(name: string, message: InboxMessage, options: Pick<PostOptions, "id" | "at">): boolean;
  read(name: string): StoredMessage[];
  /** @throws MessageConflictError unless each message is in the inbox, and named once */
  check(name: string, ids: readonly string[]): void;
  /** Takes messages that `check` accepted. */
  take(name: string, ids: readonly string[]): void;
  /** Whether a message is there that no claim has seen. */
  hasUnseen(name: string): boolean;
  /** When the inbox makes its conversation due: the time of the first message that no claim has seen. */
  dueAt(name: string): number | undefined;
  /** A claim sees the messages that are in the inbox. They no longer make the conversation due. */
  see(name: string): void;
  remove(name: string): void;
  clear(): void;
}

interface Inbox {
  /** In the order of the posts. */
  waiting: Map<string, Waiting>;
  /** The texts of the messages that were taken. */
  taken: Map<string, string>;
}

interface Waiting {
  readonly text: string;
  readonly postedAt: number;
  readonly at: number;
  isSeen: boolean;
}

/** @param clock Unix time in milliseconds */
export function memoryInbox(clock: () => number): MemoryInbox {
  const inboxes = new Map<string, Inbox>();

  return {
    post(name, message, { id, at }) {
      const text = messageText(message);
      if (at !== undefined) finiteTime("at", at);
      const inbox = inboxes.get(name) ?? { waiting: new Map(), taken: new Map() };
      const known = inbox.waiting.get(id)?.text ?? inbox.taken.get(id);
      if (known === text) return false;
      if (known !== undefined) throw new MessageConflictError(id, "used");
      const postedAt = clock();
      inbox.waiting.set(id, { text, postedAt, at: Math.max(postedAt, at ?? postedAt), isSeen: false });
      inboxes.set(name, inbox);
      return true;
    },

    read: (name) =>
      present(name).map(([id, { text, postedAt, at }]) => ({
        id,
        message: JSON.parse(text) as InboxMessage,
        postedAt,
        at,
      })),

    check(name, ids) {
      const now = clock();
      const named = new Set<string>();
      for (const id of ids) {
        const message = inboxes.get(name)?.waiting.get(id);
        if (!message || !hasCome(message, now) || named.has(id)) throw new MessageConflictError(id, "absent");
        named.add(id);
      }
    },

    take(name, ids) {
      const inbox = inboxes.get(name);
      for (const id of ids) {
        inbox?.taken.set(id, inbox.waiting.get(id)?.text ?? "");
        inbox?.waiting.delete(id);
      }
    },

    hasUnseen(name) {
      for (const { isSeen } of inboxes.get(name)?.waiting.values() ?? []) if (!isSeen) return true;
      return false;
    },

    dueAt(name) {
      const now = clock();
      const times = all(name)
        .filter(([, { isSeen }]) => !isSeen)
        .map(([, message]) => (hasCome(message, now) ? Math.min(message.at, now) : message.at));
      return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : undefined;
    },

    see(name) {
      for (const [, message] of present(name)) message.isSeen = true;
    },

    remove: (name) => void inboxes.delete(name),
    clear: () => inboxes.clear(),
  };

  function all(name: string): [string, Waiting][] {
    return [...(inboxes.get(name)?.waiting ?? [])];
  }

  function present(name: string): [string, Waiting][] {
    const now = clock();
    return all(name).filter(([, message]) => hasCome(message, now));
  }
}

/** A message without a later time is in the inbox at once, also after the clock was set back. */
function hasCome({ postedAt, at }: Waiting, now: number): boolean {
  return at === postedAt || at <= now;
}
