import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { entryFile, installed } from "./module-file.ts";
import { programModules } from "./module-folders.ts";
import { distrustOf } from "./trusted-file.ts";

const library = "node-llama-cpp";

/** What to type where the library is missing. It is installed for this person, and no folder of a project is searched for it. */
export function llamaInstall(): string {
  return `npm install --prefix ${configurationFolder()} ${library}`;
}

/**
 * The file of the library that runs models in files: beside this program, else in the person's configuration folder.
 *
 * @param folders where it is searched
 * @throws UsageError if it is not installed, or if others may change it
 */
export function llamaLibraryFile(folders = usualFolders()): string {
  const place = installed(library, folders);
  if (place === undefined) {
    throw new UsageError(
      `A model in a file needs the library ${library}, which is not installed. Type: ${llamaInstall()}`,
    );
  }
  const file = entryFile("provider", library, place);
  const distrust = distrustOf(file);
  if (distrust !== undefined) throw new UsageError(`The library ${library} is not loaded: ${distrust}.`);
  return file;
}

/** Imports the library. @throws UsageError as `llamaLibraryFile` does, and the error of Node if it does not load */
export async function loadLlamaLibrary(): Promise<unknown> {
  return import(pathToFileURL(llamaLibraryFile()).href);
}

function usualFolders(): string[] {
  return [...programModules(fileURLToPath(import.meta.url)), join(configurationFolder(), "node_modules")];
}
