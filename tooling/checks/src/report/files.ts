import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What installing, building and testing leave behind; none of it is source. */
const leftovers = ["node_modules", ".git", ".turbo", ".readme"];

/** The files under a folder, hidden ones too, sorted and with forward slashes; without leftovers and `exclude`. */
export function filesUnder(folder: string, exclude: readonly string[] = []): string[] {
  const walk = (inside: string): string[] =>
    readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
      const path = `${inside}${entry.name}`;
      if (leftovers.includes(entry.name) || exclude.includes(path)) return [];
      return entry.isDirectory() ? walk(`${path}/`) : [path];
    });
  return walk("").sort();
}
