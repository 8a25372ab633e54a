import type { Socket } from "node:net";
import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";

/** A key as JSON, equal for equal keys. */
export type KeyText = string;

/** What a process that follows says: it asks for what is open, and from then on for all that is written; or it leaves. */
export type FollowerMessage = { asks: ReadKey } | { leaves: ReadKey };
/** What a process that publishes says. */
export interface PublisherMessage {
  of: ReadKey;
  pieces: Piece[];
}
/** A key in a message: its user and its conversation. */
type ReadKey = [user: string | null, conversation: string];

export function keyText({ user, conversation }: Key): KeyText {
  return JSON.stringify([user ?? null, conversation]);
}

export function keyOf([user, conversation]: ReadKey): Key {
  return user === null ? { conversation } : { conversation, user };
}

export function asks(key: KeyText): string {
  return `{"asks":${key}}\n`;
}

export function leaves(key: KeyText): string {
  return `{"leaves":${key}}\n`;
}

export function piecesOf(key: KeyText, pieces: readonly Piece[]): string {
  return `{"of":${key},"pieces":${JSON.stringify(pieces)}}\n`;
}

/** Reads the messages of a connection, which ends at one that is none. */
export function onMessages<Message>(socket: Socket, receive: (message: Message) => void): void {
  /** The beginning of a message, in parts: a long one must not be copied for each of them. */
  let parts: string[] = [];
  let size = 0;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = chunk.split("\n");
    const rest = lines.pop() ?? "";
    try {
      for (const [index, line] of lines.entries()) {
        const whole = index === 0 ? parts.join("") + line : line;
        if (index === 0) [parts, size] = [[], 0];
        receive(JSON.parse(whole) as Message);
      }
    } catch {
      socket.destroy();
      return;
    }
    parts.push(rest);
    size += rest.length;
    if (size > longestMessage) socket.destroy();
  });
}

/** Characters: more than all that is open in a conversation. */
const longestMessage = 100_000_000;
