import type { Key } from "../key.ts";

/** A text that no other key has. */
export function keyName({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}
