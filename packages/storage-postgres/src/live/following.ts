import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";
import type { Listener } from "../follow/listener.ts";
import type { Notice } from "../follow/notifier.ts";
import { presenceInterval } from "./audience.ts";
import { joinsMessages, readRoomMessage } from "./messages.ts";
import type { Seal } from "./seals.ts";

/** The side of a store that follows conversations. */
export interface Following {
  asks(key: Key, seal: Seal): void;
  leaves(seal: Seal): void;
  /** What the publishers are to hear now. */
  take(): Notice[];
  /** What was taken last may be lost. */
  failed(): void;
  close(): void;
}

export interface FollowingOptions {
  listener: Listener;
  /** The id of this store. */
  own: string;
  joins: Seal;
  receive(key: Key, pieces: readonly Piece[]): void;
  /** There is something to take. */
  changed(): void;
}

/** Listens to a channel for each conversation, and tells the publishers: at once, after each reconnect, and every `presenceInterval`. */
export function createFollowing({ listener, own, joins, receive, changed }: FollowingOptions): Following {
  /** The conversations by the ids of their seals. */
  const followed = new Map<string, { isListening: boolean; stop: () => void }>();
  const asked = new Set<string>();
  const left = new Set<string>();
  let isPresenceDue = false;
  let presence: NodeJS.Timeout | undefined;
  let taken: readonly string[] = [];

  return {
    asks(key, seal) {
      const room = followed.get(seal.id);
      if (room === undefined) follow(key, seal);
      // Otherwise it asks as soon as it listens: pieces that come before would be lost.
      else if (room.isListening) ask(seal.id);
    },

    leaves({ id }) {
      const room = followed.get(id);
      followed.delete(id);
      asked.delete(id);
      room?.stop();
      if (followed.size === 0) stopPresence();
      if (!room?.isListening) return;
      left.add(id);
      changed();
    },

    take() {
      taken = [...asked];
      const follows = isPresenceDue ? listened().filter((id) => !asked.has(id)) : [];
      const messages = [
        ...joinsMessages(own, "asks", taken),
        ...joinsMessages(own, "follows", follows),
        ...joinsMessages(own, "leaves", [...left]),
      ];
      asked.clear();
      left.clear();
      isPresenceDue = false;
      return messages.map((message) => ({ channel: joins.channel, payload: joins.seal(message) }));
    },

    failed() {
      for (const id of taken) if (followed.has(id)) asked.add(id);
    },

    close() {
      stopPresence();
      for (const { stop } of followed.values()) stop();
      followed.clear();
      asked.clear();
    },
  };

  function follow(key: Key, seal: Seal): void {
    const { id, channel } = seal;
    const handler = { receive: (payload: string) => hear(key, seal, payload), listening };
    const room = { isListening: false, stop: () => {} };
    followed.set(id, room);
    room.stop = listener.listen(channel, handler);
    presence ??= setInterval(tellPresence, presenceInterval).unref();

    function listening(): void {
      room.isListening = true;
      if (followed.get(id) === room) ask(id);
    }
  }

  function hear(key: Key, { id, open }: Seal, payload: string): void {
    const text = open(payload);
    const message = text === undefined ? undefined : readRoomMessage(text);
    if (message === undefined || message.from === own) return;
    if ("who" in message) ask(id);
    else if (message.pieces.length > 0) receive(key, message.pieces);
  }

  function ask(id: string): void {
    asked.add(id);
    left.delete(id);
    changed();
  }

  function tellPresence(): void {
    isPresenceDue = true;
    changed();
  }

  function stopPresence(): void {
    clearInterval(presence);
    presence = undefined;
  }

  function listened(): string[] {
    return [...followed].filter(([, { isListening }]) => isListening).map(([id]) => id);
  }
}
