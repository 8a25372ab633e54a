import type { Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { looksLikeRepository } from "../confine/git-folders.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { isLeftOut } from "./left-out.ts";

/** A file on a walk, with its open folder. `unreadable` is a folder that could not be opened. */
export type Walked =
  | { kind: "file"; folder: ConfinedFolder; name: string; path: string }
  | { kind: "unreadable"; path: string };

export interface WalkOptions {
  /** The rules of git at the start of the walk. Without them, ignored files are yielded too. */
  rules?: IgnoreRules | undefined;
  signal: AbortSignal;
}

/**
 * Yields every regular file below an open folder, in the order of their paths. It follows no links, and skips names that never
 * hold source, files that git ignores, repositories, and the folders of devices and processes. `path` is relative to the start
 * of the walk, with `/` between names.
 */
export async function* walkFiles(
  folder: ConfinedFolder,
  { rules, signal }: WalkOptions,
  above: readonly string[] = [],
): AsyncGenerator<Walked> {
  signal.throwIfAborted();
  const entries = await unlessRefused(folder.entries());
  if (entries === undefined) yield { kind: "unreadable", path: above.join("/") };
  // A repository's own files are not files of the project, whatever its folder is called.
  if (above.length > 0 && looksLikeRepository(new Set(entries?.map(({ name }) => name)))) return;
  const inner = await rules?.enter(folder, entries ?? []);
  let turnEnds = performance.now() + longestTurn;
  for (const entry of entries ?? []) {
    if (performance.now() > turnEnds) {
      // Comparing rules never waits. Without this pause no other work would run, and the signal would have no effect.
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

/** Whether a walk enters an entry of a folder that the call did not name. */
export function isEntered(folder: ConfinedFolder, entry: Dirent, rules: IgnoreRules | undefined): boolean {
  const path = join(folder.path, entry.name);
  return entry.isDirectory() && !isLeftOut(entry) && !virtualFolders.has(path) && !rules?.ignores(path, true);
}

// The system generates their content when it is read, without end.
const virtualFolders = new Set(["/proc", "/sys", "/dev"]);

/** Milliseconds. */
const longestTurn = 50;

// The limit is needed because every level holds an open descriptor.
const mostLevels = 64;
