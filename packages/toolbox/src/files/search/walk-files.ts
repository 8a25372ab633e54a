import type { Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { looksLikeRepository } from "../confine/git-folders.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { isLeftOut } from "./left-out.ts";

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
 * Every regular file below an open folder, in the order of their paths. Links are not followed; what
 * is left out by name, what git ignores, repositories and the folders of devices and processes are passed over. `path` is relative to the
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
  // What git keeps in a folder of its own is not the project's, whatever the folder is called.
  if (above.length > 0 && looksLikeRepository(new Set(entries?.map(({ name }) => name)))) return;
  const inner = await rules?.enter(folder, entries ?? []);
  let turnEnds = performance.now() + longestTurn;
  for (const entry of entries ?? []) {
    if (performance.now() > turnEnds) {
      // Rules are tried without waiting for anything, so that nothing else would run, nor the signal be heard.
      await setImmediate();
      signal.throwIfAborted();
      turnEnds = performance.now() + longestTurn;
    }
    const names = [...above, entry.name];
    const path = names.join("/");
    if (entry.isFile() && !isLeftOut(entry) && !inner?.ignores(join(folder.path, entry.name), false)) {
      yield { kind: "file", folder, name: entry.name, path };
    }
    if (!isEntered(folder, entry, inner)) continue;
    const child = names.length < mostLevels ? await unlessRefused(folder.openFolder(entry.name)) : undefined;
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
  return entry.isDirectory() && !isLeftOut(entry) && !virtualFolders.has(path) && !rules?.ignores(path, true);
}

// What is in them is made by the system as it is read, and has no end.
const virtualFolders = new Set(["/proc", "/sys", "/dev"]);

/** Milliseconds. */
const longestTurn = 50;

// Every level holds an open descriptor.
const mostLevels = 64;
