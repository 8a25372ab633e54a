import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Node's permission model for a program: it may read itself with what lies beside it, and the libraries that it can find, in
 * folders called `node_modules`. It reads no other file, and it writes and starts nothing.
 */
export function readerFlags(program: string): string[] {
  const own = dirname(program);
  const folders = [own, ...foldersAbove(own)];
  const libraries = folders
    .filter((folder) => basename(folder) !== "node_modules")
    .map((folder) => join(folder, "node_modules"));
  const readable = [own, ...libraries.filter((folder) => existsSync(folder))];
  return ["--permission", ...readable.map((folder) => `--allow-fs-read=${folder}`)];
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
