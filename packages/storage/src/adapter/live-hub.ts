import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "../key.ts";
import type { Live, LivePublisher } from "../live.ts";
import { keyName } from "../memory/keyed-changes.ts";
import { LiveFollower } from "./live-follower.ts";

/**
 * Carries pieces between the hubs of processes. What it cannot send is lost: it never throws and never waits.
 *
 * Whenever it learns that somebody elsewhere begins to follow a conversation that this process publishes, or asks, it sends what is open
 * (`LiveHub.whole`): nothing was sent before, and nobody may write more for a while.
 */
export interface LiveLink {
  /**
   * A follower of this process has come, or has lost pieces: whoever publishes elsewhere sends what is open, from its beginning. Those who
   * begin to publish later must hear of it, too, until `leaves`.
   */
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
  /** Gives pieces of another process to the followers of this one. What is lost on the way is asked for again. */
  receive(key: Key, pieces: readonly Piece[]): void;
  /** All that is open in a conversation, as the publishers of this process have it: for a follower who has joined in another one. */
  whole(key: Key): Piece[];
  /** Ends all followers and silences all publishers. */
  close(): void;
}

interface Room {
  readonly key: Key;
  readonly followers: Set<LiveFollower>;
  readonly publishers: Set<() => readonly Piece[]>;
  /** When somebody has last asked for what is open, by `performance.now`. */
  askedAt: number;
}

/**
 * Makes the hub of one store. Without a `link` it is all that a store of one process needs.
 */
export function liveHub(link?: LiveLink): LiveHub {
  /** Only conversations that somebody follows or publishes. */
  const rooms = new Map<string, Room>();
  let isClosed = false;

  function roomOf({ conversation, user }: Key): Room {
    const key = user === undefined ? { conversation } : { conversation, user };
    const name = keyName(key);
    const room = rooms.get(name) ?? { key, followers: new Set(), publishers: new Set(), askedAt: -shortestAsk };
    rooms.set(name, room);
    return room;
  }

  /** @returns whether it was the last one of its kind */
  function leave<T>(room: Room, members: Set<T>, member: T): boolean {
    if (!members.delete(member) || members.size > 0) return false;
    if (room.followers.size + room.publishers.size === 0) rooms.delete(keyName(room.key));
    return true;
  }

  function publisher(given: Key, givenWhole: () => readonly Piece[]): LivePublisher {
    if (isClosed) return silentPublisher;
    const whole = () => givenWhole();
    const room = roomOf(given);
    const { key, followers, publishers } = room;
    publishers.add(whole);
    if (publishers.size === 1) link?.publishes(key, true);
    const isSilent = () => isClosed || !publishers.has(whole);
    return {
      get isFollowed() {
        return !isSilent() && (followers.size > 0 || (link?.isFollowed(key) ?? false));
      },
      publish(pieces) {
        if (isSilent() || pieces.length === 0) return;
        for (const follower of followers) attempt(() => follower.take(pieces));
        attempt(() => link?.isFollowed(key) && link.send(key, pieces));
      },
      close() {
        if (leave(room, publishers, whole) && !isClosed) link?.publishes(key, false);
      },
    };
  }

  function ask(room: Room): readonly Piece[] {
    room.askedAt = performance.now();
    link?.asks(room.key);
    return wholeOf(room);
  }

  function followerOf(key: Key, signal: AbortSignal | undefined): LiveFollower {
    if (isClosed || signal?.aborted) return endedFollower();
    const room = roomOf(key);
    const follower = new LiveFollower(
      {
        whole: () => ask(room),
        again: () => (performance.now() - room.askedAt < shortestAsk ? [] : ask(room)),
        leave: () => {
          if (leave(room, room.followers, follower)) link?.leaves(room.key);
        },
      },
      signal,
    );
    room.followers.add(follower);
    return follower;
  }

  return {
    live: {
      publisher,
      follow: (key, options = {}) => ({ [Symbol.asyncIterator]: () => followerOf(key, options.signal) }),
    },
    receive(key, pieces) {
      for (const follower of rooms.get(keyName(key))?.followers ?? []) attempt(() => follower.take(pieces));
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

/** The least milliseconds between two questions of a conversation for what was lost. */
const shortestAsk = 250;

function wholeOf({ publishers }: Room): Piece[] {
  // A publisher that fails leaves its screens to wait for the stored unit.
  return [...publishers].flatMap((whole) => attempt(whole) ?? []);
}

function endedFollower(): LiveFollower {
  const follower = new LiveFollower({ whole: () => [], again: () => [], leave() {} }, undefined);
  follower.end();
  return follower;
}

const silentPublisher: LivePublisher = { isFollowed: false, publish() {}, close() {} };

/** A run must not fail because of those who watch it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
