import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { ConfinedFolder } from "./confined-folder.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { unlessRefused } from "./unless-refused.ts";

/** A file met on a walk, with the open folder it is in; `unreadable` is a folder that could not be entered. */
export type Walked =
  | { kind: "file"; folder: ConfinedFolder; name: string; path: string }
  | { kind: "unreadable"; path: string };

export interface WalkOptions {
  /** What git ignores where the walk begins; without it, ignored files are met too. */
  rules?: IgnoreRules | undefined;
  signal: AbortSignal;
}

/**
 * Every regular file below an open folder, in the order of their paths. Links are not followed; `.git`,
 * `node_modules`, what git ignores and the folders of devices and processes are left out. `path` is relative to the
 * folder the walk began at, with `/` between names.
 */
export async function* walkFiles(
  folder: ConfinedFolder,
  { rules, signal }: WalkOptions,
  above: readonly string[] = [],
): AsyncGenerator<Walked> {
  signal.throwIfAborted();
  const entries = await unlessRefused(folder.entries());
  if (entries === undefined) yield { kind: "unreadable", path: above.join("/") };
  const inner = await rules?.enter(folder, entries ?? []);
  for (const entry of entries ?? []) {
    const names = [...above, entry.name];
    const path = names.join("/");
    if (entry.isFile() && !inner?.ignores(join(folder.path, entry.name), false)) {
      yield { kind: "file", folder, name: entry.name, path };
    }
    if (!isEntered(folder, entry, inner)) continue;
    const child = names.length < MOST_LEVELS ? await unlessRefused(folder.openFolder(entry.name)) : undefined;
    if (child === undefined) {
      yield { kind: "unreadable", path };
      continue;
    }
    try {
      yield* walkFiles(child, { rules: inner, signal }, names);
    } finally {
      await child.close();
    }
  }
}

/** Whether what is in an entry of a folder is looked at by itself, without being asked for by name. */
export function isEntered(folder: ConfinedFolder, entry: Dirent, rules: IgnoreRules | undefined): boolean {
  const path = join(folder.path, entry.name);
  return entry.isDirectory() && !LEFT_OUT.has(entry.name) && !VIRTUAL.has(path) && !rules?.ignores(path, true);
}

const LEFT_OUT = new Set([".git", "node_modules"]);

// What is in them is made by the system as it is read, and has no end.
const VIRTUAL = new Set(["/proc", "/sys", "/dev"]);

// Every level holds an open descriptor.
const MOST_LEVELS = 64;
