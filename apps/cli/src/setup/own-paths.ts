import { mkdirSync } from "node:fs";
import { compiledFolder, openCompiledFolder } from "../compiled/compiled-folder.ts";
import { undoFolder } from "../undo/undo-folder.ts";
import { configurationFolder } from "./configuration-folder.ts";
import { databaseFiles } from "./store/store-files.ts";

/**
 * What belongs to the app, and no tool reads or changes: the files of the store, the copies for undo, the configuration with
 * the keys and the kept rules, and the compiled code, which the next start runs. All are absolute paths, and need not exist.
 */
export function ownPaths(store: string): string[] {
  return [...databaseFiles(store), undoFolder(store), configurationFolder(), compiledFolder()].filter(
    (path) => path !== undefined,
  );
}

/**
 * Makes the folders of the app that all its runs share: in the place of one that does not exist, the sandbox would put a file
 * while a command runs, but other runs need a folder there. Returns what {@link ownPaths} does. Tools reach none of it, also
 * where a folder cannot be made.
 */
export function madeOwnPaths(store: string): string[] {
  openCompiledFolder();
  try {
    // In the place of `~/.config`, if that does not exist, the sandbox puts a folder.
    mkdirSync(configurationFolder(), { mode: 0o700 });
  } catch {
    // It is there, or the command says so if it needs it.
  }
  return ownPaths(store);
}
