import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders and files that installing, building and testing create. They are not sources. */
const leftovers = ["node_modules", ".git", ".turbo", ".readme"];

/** Lists the files under a folder, also hidden ones, sorted and with forward slashes. Skips leftovers and `exclude`. */
export function filesUnder(folder: string, exclude: readonly string[] = []): string[] {
  const walk = (inside: string): string[] =>
    readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
      const path = `${inside}${entry.name}`;
      if (leftovers.includes(entry.name) || exclude.includes(path)) return [];
      return entry.isDirectory() ? walk(`${path}/`) : [path];
    });
  return walk("").sort();
}
