import { createConnection } from "node:net";
import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";
import { type FollowerMessage, type KeyText, keyOf, keyText, onMessages, piecesOf } from "./messages.ts";
import type { SocketFolder } from "./socket-folder.ts";

/** A connection to a process that follows. Does not keep this process alive. */
export interface Caller {
  /** Whether the process follows the conversation. */
  isFollowing(key: KeyText): boolean;
  /** Sends a message about a conversation, or what is open of it later if the process reads too slowly. */
  send(key: KeyText, message: string): void;
  close(): void;
}

export interface CallerOptions {
  /** All that is open in a conversation. */
  whole(key: Key): readonly Piece[];
  /** Called once, at the end; with true if nobody listens at the socket. */
  ended(isRefused: boolean): void;
}

export function createCaller(folder: SocketFolder, name: string, { whole, ended }: CallerOptions): Caller {
  const { path, release } = folder.address(name);
  const socket = createConnection({ path });
  /** The conversations that the process follows. */
  const followed = new Map<KeyText, Key>();
  /** Those of which it needs what is open, from its beginning. */
  const behind = new Set<KeyText>();
  let isRefused = false;

  socket.unref();
  socket.on("connect", release);
  socket.on("error", (error: NodeJS.ErrnoException) => {
    isRefused = error.code === "ECONNREFUSED";
  });
  socket.on("close", () => {
    release();
    ended(isRefused);
  });
  socket.on("drain", catchUp);
  onMessages<FollowerMessage>(socket, (message) => {
    const key = keyOf("asks" in message ? message.asks : message.leaves);
    const text = keyText(key);
    behind.delete(text);
    if (!("asks" in message)) return void followed.delete(text);
    followed.set(text, key);
    // Many who join at once get one answer.
    if (behind.size === 0) setImmediate(catchUp);
    behind.add(text);
  });

  function catchUp(): void {
    for (const text of behind) {
      if (socket.destroyed || socket.writableNeedDrain) return;
      behind.delete(text);
      const key = followed.get(text);
      const pieces = key ? whole(key) : [];
      if (pieces.length > 0) socket.write(piecesOf(text, pieces));
    }
  }

  return {
    isFollowing: (key) => followed.has(key),
    send(key, message) {
      if (behind.has(key)) return;
      if (socket.writableLength > mostWaiting) behind.add(key);
      else socket.write(message);
    },
    close: () => socket.destroy(),
  };
}

/** Bytes that wait for one process. */
const mostWaiting = 1_000_000;
