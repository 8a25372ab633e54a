import type { Key } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import { rowChecksum } from "./checksum.ts";

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
