import { lstat } from "node:fs/promises";
import { withFolder } from "../files/confine/confined-folder.ts";
import { type Root, shownBelow } from "../files/confine/root.ts";
import { unlessRefused } from "../files/confine/unless-refused.ts";
import { rulesAbove } from "../files/search/ignore-rules.ts";
import { walkFiles } from "../files/search/walk-files.ts";

/** The size and time of each file below the base of a root that `find` would search. */
export type Snapshot = ReadonlyMap<string, string>;

/** Undefined if it would take long. */
export async function takeSnapshot(root: Root): Promise<Snapshot | undefined> {
  const ends = performance.now() + longest;
  const signal = AbortSignal.timeout(longest);
  const files = new Map<string, string>();
  const walk = async () => {
    const rules = await rulesAbove(root, root.base);
    return withFolder(root, root.base, async (top) => {
      for await (const walked of walkFiles(top, { rules, signal })) {
        if (walked.kind !== "file") continue;
        const stats = await lstat(walked.folder.at(walked.name), { bigint: true }).catch(() => undefined);
        if (stats) files.set(shownBelow(".", walked.path), `${stats.size} ${stats.mtimeNs} ${stats.ino}`);
        if (files.size > mostFiles || performance.now() > ends) return undefined;
      }
      return files;
    });
  };
  try {
    return await unlessRefused(walk());
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** The files that were created, changed or removed in between, sorted. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const changed = [...after].filter(([file, stamp]) => before.get(file) !== stamp).map(([file]) => file);
  const removed = [...before.keys()].filter((file) => !after.has(file));
  return [...changed, ...removed].sort();
}

/** Milliseconds. Two walks are made for each command. */
const longest = 300;
const mostFiles = 20_000;
