import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "../key.ts";
import type { Live, LivePublisher } from "../live.ts";
import { keyName } from "../memory/keyed-changes.ts";
import { LiveFollower } from "./live-follower.ts";

/** Carries pieces between the hubs of processes. What it cannot send is lost: it never throws and never waits. */
export interface LiveLink {
  /** A follower of this process has come, or has lost pieces: whoever publishes elsewhere sends what is open, from its beginning. */
  asks(key: Key): void;
  /** The last follower of this process has left. */
  leaves(key: Key): void;
  /** The first publisher of this process has come (`true`), or the last one has left. */
  publishes(key: Key, isPublishing: boolean): void;
  /** Whether somebody in another process follows the conversation, as far as is known. Asked for each frame, so it must be quick. */
  isFollowed(key: Key): boolean;
  /** Sends to the followers of other processes. Called only while `isFollowed`. */
  send(key: Key, pieces: readonly Piece[]): void;
}

/** The publishers and followers of one process. */
export interface LiveHub {
  readonly live: Live;
  /** Gives pieces of another process to the followers of this one. */
  receive(key: Key, pieces: readonly Piece[]): void;
  /** All that is open in a conversation, as the publishers of this process have it: for a follower who has joined in another one. */
  whole(key: Key): Piece[];
  /** Ends all followers. */
  close(): void;
}

interface Room {
  readonly key: Key;
  readonly followers: Set<LiveFollower>;
  readonly publishers: Set<() => readonly Piece[]>;
}

/**
 * Makes the hub of one store. Without a `link` it is all that a store of one process needs.
 */
export function liveHub(link?: LiveLink): LiveHub {
  /** Only conversations that somebody follows or publishes. */
  const rooms = new Map<string, Room>();
  let isClosed = false;

  function roomOf(key: Key): Room {
    const name = keyName(key);
    const room = rooms.get(name) ?? { key, followers: new Set(), publishers: new Set() };
    rooms.set(name, room);
    return room;
  }

  /** @returns whether it was the last one of its kind */
  function leave<T>(room: Room, members: Set<T>, member: T): boolean {
    if (!members.delete(member) || members.size > 0) return false;
    if (room.followers.size + room.publishers.size === 0) rooms.delete(keyName(room.key));
    return true;
  }

  function wholeOf({ publishers }: Room): Piece[] {
    return [...publishers].flatMap((whole) => {
      try {
        return whole();
      } catch {
        // Its screens wait for the stored unit.
        return [];
      }
    });
  }

  function publisher(key: Key, given: () => readonly Piece[]): LivePublisher {
    const whole = () => given();
    const room = roomOf(key);
    room.publishers.add(whole);
    if (room.publishers.size === 1) link?.publishes(key, true);
    return {
      get isFollowed() {
        return room.followers.size > 0 || (link?.isFollowed(key) ?? false);
      },
      publish(pieces) {
        if (isClosed || pieces.length === 0) return;
        for (const follower of room.followers) follower.take(pieces);
        if (link?.isFollowed(key)) link.send(key, pieces);
      },
      close() {
        if (leave(room, room.publishers, whole)) link?.publishes(key, false);
      },
    };
  }

  function followerOf(key: Key, signal: AbortSignal | undefined): LiveFollower {
    const room = roomOf(key);
    const whole = () => {
      link?.asks(key);
      return wholeOf(room);
    };
    const left = () => {
      if (leave(room, room.followers, follower)) link?.leaves(key);
    };
    const follower = new LiveFollower(whole, left, signal);
    room.followers.add(follower);
    if (isClosed || signal?.aborted) follower.end();
    return follower;
  }

  return {
    live: {
      publisher,
      follow: (key, options = {}) => ({ [Symbol.asyncIterator]: () => followerOf(key, options.signal) }),
    },
    receive(key, pieces) {
      for (const follower of rooms.get(keyName(key))?.followers ?? []) follower.take(pieces);
    },
    whole(key) {
      const room = rooms.get(keyName(key));
      return room ? wholeOf(room) : [];
    },
    close() {
      isClosed = true;
      for (const { followers } of [...rooms.values()]) for (const follower of [...followers]) follower.end();
    },
  };
}
