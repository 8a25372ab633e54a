import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../real-path.ts";
import { isServer } from "./store-address.ts";

/**
 * The files of a store, under the path that was given and under the real one: the database, what SQLite keeps beside it
 * while it is open, and the copies of older schemas that are there. None for a server and for what is only in memory.
 */
export function storeFiles(store: string): string[] {
  if (isServer(store) || store === ":memory:") return [];
  const given = resolve(store);
  return [...new Set([given, realPath(given) ?? given])].flatMap((path) => [
    ...["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix),
    ...copies(path),
  ]);
}

/** Whether a path leads to a file of the store, by whatever name. */
export function isOfStore(path: string, store: string): boolean {
  const target = resolve(path);
  return storeFiles(store).includes(realPath(target) ?? target);
}

function copies(path: string): string[] {
  const folder = dirname(path);
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.schema-`));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}
