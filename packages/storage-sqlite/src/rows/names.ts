import type { Key } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import { rowChecksum } from "./checksum.ts";

/** A key as JSON texts, the form of the tables (see schema/tables.ts). */
export interface KeyTexts {
  user: string;
  name: string;
}

export function keyTexts({ conversation, user }: Key): KeyTexts {
  return { user: userText(user), name: nameText(conversation) };
}

export function userText(user: string | undefined): string {
  return user === undefined ? "null" : JSON.stringify(user);
}

export function nameText(name: string): string {
  return JSON.stringify(name);
}

/** The scope of a conversation that has none. */
export const noScope = "null";

export function scopeText(scope: string | undefined): string {
  return scope === undefined ? noScope : JSON.stringify(scope);
}

/** The checksum of a row in `keys`. */
export function keyChecksum(user: string, name: string, scope: string): number {
  return rowChecksum(user, name, scope);
}

/**
 * Reads user and name of a row in `keys`.
 *
 * @throws StoreError `corrupt` if its checksum differs
 */
export function keyOf({ user, name, scope, checksum }: Record<string, unknown>, path: string): Key {
  if (keyChecksum(String(user), String(name), String(scope)) !== checksum) {
    throw damaged(path, "the name or the scope of a conversation is not what was stored (its checksum differs)");
  }
  const conversation = JSON.parse(String(name)) as string;
  return user === "null" ? { conversation } : { conversation, user: JSON.parse(String(user)) as string };
}
