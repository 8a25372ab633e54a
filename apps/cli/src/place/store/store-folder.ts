import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { realPath } from "../../base/files/real-path.ts";
import { isServer, shownStore } from "./store-address.ts";
import { dataFolder, ownStore } from "./store-path.ts";

/** What belongs to the conversations of a store and is no event: copies for undo, and the whole output of commands. */
export const storeFolderNames = ["undo", "outputs"] as const;

/**
 * A folder beside a store: `undo` beside the app's own store, `<file>.undo` beside another one, and for a server a folder with the app's
 * data that is named after a hash of the address. Undefined for a store in memory, for which nothing is kept.
 */
export function storeFolder(store: string, name: (typeof storeFolderNames)[number]): string | undefined {
  if (store === ":memory:") return undefined;
  if (isServer(store)) {
    const hash = createHash("sha256").update(shownStore(store)).digest("hex");
    return join(dataFolder(), `${name}-${hash.slice(0, 16)}`);
  }
  const file = realPath(resolve(store)) ?? resolve(store);
  const isOwn = file === (realPath(ownStore()) ?? ownStore());
  return isOwn ? join(dirname(file), name) : `${file}.${name}`;
}

/**
 * The folder beside a store in a file in which its processes tell each other what runs are writing: whoever reaches a socket in it may
 * read along. Undefined for a server, and for a store in memory.
 */
export function liveFolder(store: string): string | undefined {
  if (store === ":memory:" || isServer(store)) return undefined;
  return `${realPath(resolve(store)) ?? resolve(store)}-live`;
}
