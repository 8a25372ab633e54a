import type { Key } from "../store.ts";

/** A text that no other key has. */
export function keyName({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}
