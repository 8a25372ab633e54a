import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";
import type { Listener } from "../follow/listener.ts";
import type { Notice } from "../follow/notifier.ts";
import { type Audience, createAudience } from "./audience.ts";
import { piecesMessages, readJoinsMessage, whoMessage } from "./messages.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { Seal } from "./seals.ts";

/** The side of a store that publishes about conversations. */
export interface Publishing {
  publishes(key: Key, seal: Seal): void;
  ends(seal: Seal): void;
  isFollowed(seal: Seal): boolean;
  send(seal: Seal, pieces: readonly Piece[]): void;
  /** What the followers are to hear now. */
  take(): Notice[];
  /** What was taken last may be lost. */
  failed(): void;
  close(): void;
}

export interface PublishingOptions {
  listener: Listener;
  /** The id of this store. */
  own: string;
  joins: Seal;
  /** All that is open in a conversation. */
  whole(key: Key): readonly Piece[];
  /** There is something to take. */
  changed(): void;
}

interface Room {
  readonly seal: Seal;
  readonly outbox: Outbox;
  readonly audience: Audience;
  /** Those who follow are to say so. */
  asksWho: boolean;
}

/**
 * Listens to one channel, at which stores say what they follow, from the first publisher until some seconds after the last one: runs that
 * follow one another share the connection. What nobody follows costs one notification, which asks who does.
 */
export function createPublishing({ listener, own, joins, whole, changed }: PublishingOptions): Publishing {
  /** The conversations by the ids of their seals. */
  const rooms = new Map<string, Room>();
  const pending = new Set<Room>();
  let taken: Room[] = [];
  let stopListening: (() => void) | undefined;
  let isListening = false;
  let lingering: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;

  return {
    publishes(key, seal) {
      clearTimeout(lingering);
      const room = { seal, outbox: createOutbox(() => whole(key)), audience: createAudience(), asksWho: false };
      rooms.set(seal.id, room);
      stopListening ??= listener.listen(joins.channel, { receive: hear, listening });
      if (isListening) askWho(room);
    },

    ends({ id }) {
      const room = rooms.get(id);
      rooms.delete(id);
      if (room) pending.delete(room);
      if (rooms.size > 0) return;
      clearTimeout(lingering);
      lingering = setTimeout(stop, lingerTime).unref();
    },

    isFollowed: ({ id }) => rooms.get(id)?.audience.isThere() ?? false,

    send({ id }, pieces) {
      const room = rooms.get(id);
      if (room === undefined) return;
      room.outbox.add(pieces);
      change(room);
    },

    take() {
      const notices: Notice[] = [];
      let size = 0;
      taken = [];
      for (const room of pending) {
        if (size > longestStatement) break;
        const messages = messagesOf(room);
        if (!room.outbox.isWaiting) pending.delete(room);
        for (const message of messages) {
          notices.push({ channel: room.seal.channel, payload: room.seal.seal(message) });
          size += message.length;
        }
        if (messages.length > 0) taken.push(room);
      }
      // What waits must not wait for the next frame: there may be none.
      if (notices.length === 0 && pending.size > 0) later ??= setTimeout(takeLater, shortPause).unref();
      return notices;
    },

    failed() {
      for (const room of taken) {
        if (rooms.get(room.seal.id) !== room) continue;
        room.outbox.needWhole();
        askWho(room);
      }
    },

    close() {
      rooms.clear();
      pending.clear();
      clearTimeout(lingering);
      clearTimeout(later);
      stop();
    },
  };

  function listening(): void {
    isListening = true;
    for (const room of rooms.values()) askWho(room);
  }

  function askWho(room: Room): void {
    room.asksWho = true;
    change(room);
  }

  function hear(payload: string): void {
    const text = joins.open(payload);
    const message = text === undefined ? undefined : readJoinsMessage(text);
    if (message === undefined || message.from === own) return;
    const { from, asks, follows, leaves } = message;
    for (const id of leaves) rooms.get(id)?.audience.leave(from);
    for (const id of asks) join(rooms.get(id), from, true);
    for (const id of follows) join(rooms.get(id), from, false);
  }

  function join(room: Room | undefined, from: string, isAsking: boolean): void {
    if (room === undefined) return;
    const isNew = room.audience.join(from);
    if (!isNew && !isAsking) return;
    room.outbox.needWhole();
    change(room);
  }

  function messagesOf(room: Room): string[] {
    const messages = room.asksWho ? [whoMessage(own)] : [];
    room.asksWho = false;
    const pieces = room.audience.isThere() ? room.outbox.take() : room.outbox.clear();
    return [...messages, ...piecesMessages(own, pieces)];
  }

  function change(room: Room): void {
    pending.add(room);
    changed();
  }

  function takeLater(): void {
    later = undefined;
    changed();
  }

  function stop(): void {
    stopListening?.();
    stopListening = undefined;
    isListening = false;
  }
}

/** Milliseconds for which a store listens after its last publisher. */
const lingerTime = 10_000;
/** Milliseconds before it looks again whether what is open may be sent again. */
const shortPause = 50;
/** Characters, about. What is above waits for the next statement. */
const longestStatement = 2_000_000;
