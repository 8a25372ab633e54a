import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../base/errors/usage-error.ts";
import { realPath } from "../../base/files/real-path.ts";
import { note } from "../../base/terminal/note.ts";
import { isTrustedFolder } from "../../place/config/trust.ts";
import {
  attempt,
  entryFile,
  installed,
  isPath,
  type ModuleFiles,
  type ModuleKind,
  readModule,
} from "../../place/modules/module-file.ts";
import { programModules, projectModules } from "../../place/modules/module-folders.ts";
import { distrustOf } from "../../place/modules/trusted-file.ts";
import type { ImportedModule, ImportOptions } from "./import-module.ts";

/** A module that a person or a configuration names. */
export interface ModuleName {
  readonly kind: ModuleKind;
  /** The path of a module or of a package folder, relative to the current folder, or the bare name of a package. */
  readonly name: string;
  /** The folder in whose project bare names are searched. */
  readonly root: string;
  /** It as it was reviewed, which is what runs. */
  readonly reviewed?: ModuleFiles | undefined;
  /** The configuration of the person names it, so its place needs no trust. */
  readonly isOwn?: boolean;
  /** Names that are no packages, for the message about one that is not found. */
  readonly known: readonly string[];
}

/** No tool, provider or package has this name. */
export class UnknownModule extends UsageError {}

/** A module that runs, and the file it is from. */
export interface LoadedModule {
  readonly file: string;
  readonly module: ImportedModule;
}

/**
 * Finds and imports a module. A bare name is searched in the project of the root and then beside this program, and stderr says which file
 * was loaded.
 *
 * @throws UsageError if it cannot be found or loaded, belongs to another user, or is meant by its bare name and stands in a folder that is
 * not trusted
 */
export async function loadModule(
  named: ModuleName,
  options: Pick<ImportOptions, "packages" | "timeout"> = {},
): Promise<LoadedModule> {
  const { kind, name, reviewed } = named;
  const { file, code, imports } = reviewed ?? readModule(fileOf(named));
  if (!code && !isPath(name)) throw unknown(named);
  if (!code) throw new UsageError(`The ${kind} "${name}" is not loaded: there is no ${file} that can be read.`);
  for (const one of new Set([file, ...imports.map(({ real }) => real)])) {
    const distrust = distrustOf(one);
    if (distrust !== undefined) throw new UsageError(`The ${kind} "${name}" is not loaded: ${distrust}.`);
  }
  if (!isPath(name) && !named.isOwn) note(`The ${kind} "${name}" is ${file}.`);
  const { importModule } = await import("./import-module.ts");
  const module = await attempt(`The ${kind} "${name}" cannot be loaded`, () =>
    importModule(code, { ...options, imports, onlyRead: reviewed !== undefined }),
  );
  return { file, module };
}

function fileOf(named: ModuleName): string {
  const { kind, name } = named;
  return entryFile(kind, name, isPath(name) ? pathOf(named) : packageFolder(named));
}

function pathOf({ kind, name }: ModuleName): string {
  const path = resolve(name);
  if (existsSync(path)) return path;
  throw new UsageError(`The ${kind} "${name}" was not found: there is no ${path}.`);
}

function packageFolder(named: ModuleName): string {
  const { kind, name, root, isOwn } = named;
  const path = installed(name, projectModules(resolve(root)));
  if (path !== undefined) {
    if (!isOwn) refuseUntrusted(kind, name, path);
    return path;
  }
  const beside = installed(name, programModules(fileURLToPath(import.meta.url)));
  if (beside !== undefined) return beside;
  throw unknown(named);
}

function unknown({ kind, name, known }: ModuleName): UnknownModule {
  const advice = existsSync(resolve(name))
    ? `For the path, write "./${name}".`
    : 'Install the package in this project, or give a path that begins with "../../".';
  return new UnknownModule(
    `Unknown ${kind} "${name}": it is none of ${known.join(", ")}, and no installed package. ${advice}`,
  );
}

/** A name alone is no consent: the folder, and not the person, chooses what it stands for. */
function refuseUntrusted(kind: ModuleKind, name: string, path: string): void {
  const owner = dirname(path.slice(0, -name.length));
  const top = realPath(owner) ?? owner;
  if (isTrustedFolder(top)) return;
  const below = relative(".", path);
  const typed = below.startsWith(".") ? below : `./${below}`;
  throw new UsageError(
    `The ${kind} "${name}" would run ${path}, and this folder is not trusted. Give its path, --${kind} ${typed}, or trust the folder: cogency trust ${top}`,
  );
}
