import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../../base/files/real-path.ts";
import { isServer } from "./store-address.ts";

/**
 * Returns the database files of a store, under the given path and under the real one: its own, and existing copies of older
 * schemas. Empty for a server and for a store in memory.
 */
export function databaseFiles(store: string): string[] {
  if (isServer(store) || store === ":memory:") return [];
  const given = resolve(store);
  return [...new Set([given, realPath(given) ?? given])].flatMap((path) => [path, ...copies(path)]);
}

/** Whether a path leads to a file of the store, including those that SQLite keeps beside an open database. */
export function isOfStore(path: string, store: string): boolean {
  const target = resolve(path);
  const files = databaseFiles(store).flatMap((path) => ["", "-wal", "-shm", "-journal"].map((end) => path + end));
  return files.includes(realPath(target) ?? target);
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
