import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside, pathInRoot, type Root } from "../confine/root.ts";

/**
 * The programs in the root that run in place of others: they stand in a folder of the PATH, such as `.venv/bin`, and have the name of a
 * program outside of the root.
 *
 * @returns by their path, what differs after every change of the program
 */
export function shadowingPrograms(root: Root, path = process.env.PATH ?? ""): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>();
  const folders = [...new Set(path.split(delimiter).filter(isAbsolute).map(realOf))];
  const own = folders.filter((folder) => isInside(root.base, folder));
  if (own.length === 0) return stamps;
  const others = new Set(folders.filter((folder) => !own.includes(folder)).flatMap(namesIn));
  for (const folder of own) {
    for (const name of namesIn(folder)) {
      if (others.has(name)) stamps.set(pathInRoot(root, join(folder, name)), stampAt(join(folder, name)));
    }
  }
  return stamps;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function stampAt(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.ctimeNs}`;
}
