import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Flags of Node's permission model for a program. It may read its own folder and the libraries in the `node_modules` above it.
 * It may read no other file, write nothing and start nothing.
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
