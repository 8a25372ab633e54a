import { ToolboxError } from "../errors.ts";
import type { ConfinedFolder } from "./confined-folder.ts";

/** A file met on a walk, with the open folder it is in; `unreadable` is a folder that could not be entered. */
export type Walked =
  | { kind: "file"; folder: ConfinedFolder; name: string; path: string }
  | { kind: "unreadable"; path: string };

/**
 * Every regular file below an open folder, in the order of their paths. Links are not followed, `.git` and
 * `node_modules` are left out. `path` is relative to the folder the walk began at, with `/` between names.
 */
export async function* walkFiles(folder: ConfinedFolder, above: readonly string[] = []): AsyncGenerator<Walked> {
  const entries = await unlessRefused(folder.entries());
  if (entries === undefined) yield { kind: "unreadable", path: above.join("/") };
  for (const entry of entries ?? []) {
    const names = [...above, entry.name];
    const path = names.join("/");
    if (entry.isFile()) yield { kind: "file", folder, name: entry.name, path };
    if (!entry.isDirectory() || LEFT_OUT.has(entry.name)) continue;
    const child = names.length < MOST_LEVELS ? await unlessRefused(folder.openFolder(entry.name)) : undefined;
    if (child === undefined) {
      yield { kind: "unreadable", path };
      continue;
    }
    try {
      yield* walkFiles(child, names);
    } finally {
      await child.close();
    }
  }
}

const LEFT_OUT = new Set([".git", "node_modules"]);

// Every level holds an open descriptor.
const MOST_LEVELS = 64;

/** One folder that cannot be entered, or has gone meanwhile, does not end the walk. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ToolboxError) return undefined;
    throw error;
  }
}
