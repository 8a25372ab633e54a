import { hash } from "node:crypto";
import type { Key } from "@cogency/storage";
import type { WakeScope } from "@cogency/storage/adapter";

/** A key in the form of the tables (see schema/migrations.ts). */
export interface KeyNames {
  /** The hash of the user and the name. */
  key: Buffer;
  /** The user as JSON text; `null` is the anonymous one. */
  user: string;
  /** The name as JSON text. */
  name: string;
}

export interface UserNames {
  /** The hash of the user's name. */
  userKey: Buffer;
  /** The user as JSON text; `null` is the anonymous one. */
  user: string;
}

/**
 * A cache of the last call: a run appends to one log again and again, and hashing its key takes longer than checking a
 * batch.
 */
let last: { given: Key; names: KeyNames } | undefined;

export function keyNames({ conversation, user }: Key): KeyNames {
  if (last && last.given.conversation === conversation && last.given.user === user) return last.names;
  const owner = userText(user);
  const name = JSON.stringify(conversation);
  // JSON text contains no line break, so two keys never join to the same text.
  const names = { key: sha256(`${owner}\n${name}`), user: owner, name };
  last = { given: { conversation, user }, names };
  return names;
}

export function userNames(user: string | undefined): UserNames {
  const text = userText(user);
  return { userKey: sha256(text), user: text };
}

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function userText(user: string | undefined): string {
  return JSON.stringify(user ?? null);
}

/** A scope in the form of the tables: the hash of its JSON text, which is `null` for no scope. */
export function scopeKey(scope: WakeScope): Buffer {
  return sha256(JSON.stringify(scope ?? null));
}

/** The most characters of one statement. PostgreSQL limits a text to a gigabyte, and a UTF-16 unit takes up to three bytes. */
export const longestText = 300_000_000;

export function isTooLarge(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > longestText;
}

/** A count as an SQL LIMIT. PostgreSQL takes NULL for no limit. */
export function limitOf(count: number): number | null {
  return count === Number.POSITIVE_INFINITY ? null : count;
}

/**
 * The key under which posts and deletes of a conversation are announced, beside the conversation's own: a run that waits for
 * messages must not look at the inbox after each of its own appends.
 */
export function postsOf(key: Buffer): Buffer {
  return sha256(`posts ${key.toString("hex")}`);
}
