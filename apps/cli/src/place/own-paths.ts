import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { compiledFolder, openCompiledFolder } from "../base/compiled/compiled-folder.ts";
import { configurationFolder } from "../base/configuration-folder.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { realPath } from "../base/files/real-path.ts";
import { readConfig, userConfigFile } from "./config/config-file.ts";
import { knownModelsFile } from "./known-models.ts";
import { serverLogFolder } from "./mcp/server-log-folder.ts";
import { databaseFiles } from "./store/store-files.ts";
import { liveFolder, storeFolder, storeFolderNames } from "./store/store-folder.ts";
import { dataFolder, defaultStore, ownStore, promptFile } from "./store/store-path.ts";

/**
 * What belongs to the app, and no tool reads or changes, whichever store is in use: the files of its stores and the sockets beside them, the copies for undo, the
 * output of commands, the logs of servers, the prompts that were typed, the configuration with the keys and the kept rules, and the compiled code, which the next start runs. All
 * are absolute paths, and need not exist.
 *
 * @param used a store that is in use
 */
export function ownPaths(used?: string): string[] {
  const stores = knownStores(used);
  return [
    ...stores.flatMap(databaseFiles),
    ...stores.flatMap(storeFolders),
    ...serverFolders(),
    // An old list beside another store; a new one is made beside the app's own.
    ...stores
      .map(promptFile)
      .filter((file) => file !== undefined && (file === promptFile(ownStore()) || existsSync(file))),
    configurationFolder(),
    compiledFolder(),
    knownModelsFile(),
    serverLogFolder(),
  ].filter((path) => path !== undefined);
}

/** The same as real paths: what no file of a project may lead to. */
export function appPlaces(): string[] {
  return ownPaths().map((path) => realPath(path) ?? path);
}

/**
 * Makes the folders of the app that all its runs share: in the place of one that does not exist, the sandbox would put a file
 * while a command runs, but other runs need a folder there. Returns what {@link ownPaths} does. Tools reach none of it, also
 * where a folder cannot be made.
 */
export function madeOwnPaths(store: string): string[] {
  openCompiledFolder();
  // In the place of `~/.config`, if that does not exist, the sandbox puts a folder. So it is with the folder of a store.
  for (const folder of [configurationFolder(), serverLogFolder(), ...knownStores(store).flatMap(storeFolders)]) {
    try {
      if (folder !== undefined && existsSync(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
    } catch {
      // It is there, or the command says so if it needs it.
    }
  }
  return ownPaths(store);
}

/** The stores that may hold conversations of this user: the one in use, the app's own, and those that are configured. */
function knownStores(used?: string): string[] {
  const stores = [used, ownStore(), defaultStore(), configuredStore()];
  return [...new Set(stores)].filter((store) => store !== undefined && store !== ":memory:") as string[];
}

function configuredStore(): string | undefined {
  try {
    const store = readConfig(userConfigFile())?.values.store;
    return typeof store === "string" ? store : undefined;
  } catch (error) {
    // What reads the configuration says so.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function storeFolders(store: string): (string | undefined)[] {
  return [...storeFolderNames.map((name) => storeFolder(store, name)), liveFolder(store)];
}

/** What is kept for the stores on servers. */
function serverFolders(): string[] {
  const folder = dataFolder();
  try {
    return readdirSync(folder)
      .filter((name) => storeFolderNames.some((kind) => name.startsWith(`${kind}-`)))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
