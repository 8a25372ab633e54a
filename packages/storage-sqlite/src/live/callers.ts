import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";
import { type Caller, createCaller } from "./caller.ts";
import { type KeyText, piecesOf } from "./messages.ts";
import type { SocketFolder } from "./socket-folder.ts";

/** Calls the processes that follow, while this one publishes. */
export interface Callers {
  publishes(key: KeyText, isPublishing: boolean): void;
  isFollowed(key: KeyText): boolean;
  send(key: KeyText, pieces: readonly Piece[]): void;
  /** Calls all twice, so that sockets of processes that were killed are removed. */
  sweep(): void;
  close(): void;
}

/** @param isOwn whether a socket is that of this process's own listener */
export function createCallers(
  folder: SocketFolder,
  isOwn: (name: string) => boolean,
  whole: (key: Key) => readonly Piece[],
): Callers {
  const published = new Set<KeyText>();
  const callers = new Map<string, Caller>();
  /** Sockets at which nobody has listened. */
  const refused = new Set<string>();
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    for (const name of folder.names()) {
      if (callers.has(name) || isOwn(name)) continue;
      try {
        const caller = createCaller(folder, name, { whole, ended: (isRefused) => left(name, caller, isRefused) });
        callers.set(name, caller);
      } catch {
        // A socket of an address that cannot be made gets no pieces.
      }
    }
  }

  function left(name: string, caller: Caller, isRefused: boolean): void {
    if (callers.get(name) === caller) callers.delete(name);
    // Refused once, it may have too many callers at this moment; refused again, its process has ended.
    if (isRefused && refused.delete(name)) folder.remove(name);
    else if (isRefused) refused.add(name);
  }

  function closeAll(): void {
    clearInterval(looking);
    looking = undefined;
    for (const caller of callers.values()) caller.close();
    callers.clear();
  }

  return {
    publishes(key, isPublishing) {
      if (isPublishing) published.add(key);
      else published.delete(key);
      if (published.size === 0) return closeAll();
      if (looking) return;
      looking = setInterval(look, pause);
      looking.unref();
      look();
    },
    isFollowed(key) {
      for (const caller of callers.values()) if (caller.isFollowing(key)) return true;
      return false;
    },
    send(key, pieces) {
      const message = piecesOf(key, pieces);
      for (const caller of callers.values()) if (caller.isFollowing(key)) caller.send(key, message);
    },
    sweep() {
      look();
      later(look);
      // Who has answered by now is alive.
      later(() => later(() => published.size === 0 && closeAll()));
    },
    close() {
      published.clear();
      closeAll();
    },
  };
}

function later(work: () => unknown): void {
  setTimeout(work, pause).unref();
}

/** Milliseconds after which a new follower is found. */
const pause = 250;
