import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { FileError, readRegularFile, readRegularText } from "../../base/files/read-regular-file.ts";
import { projectModules } from "./module-folders.ts";
import { type OwnFile, ownImports } from "./own-imports.ts";
import { packageEntries } from "./package-entry.ts";

const bareName = /^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

/** What a module is for, as messages call it. */
export type ModuleKind = "provider" | "tool";

/** The file of a module as it was read. */
export interface ModuleFile {
  readonly file: string;
  /** Its real path, and what it holds: this is what runs. Undefined if it cannot be read. */
  readonly code: OwnFile | undefined;
  /** The files beside it that it imports, and they in turn, as they were read: they run so, too. */
  readonly imports: readonly OwnFile[];
  /** Of what all of them hold; empty if it cannot be read. */
  readonly hash: string;
}

/** Bytes that a module may have, with all that it imports from beside it. */
const mostBytes = 32 * 1_048_576;

/** Whether a module is named by a path, and not by the bare name of a package. */
export function isPath(name: string): boolean {
  return !bareName.test(name);
}

/** The file that is loaded of a module: itself, or what a package folder exports. @throws UsageError if there is none */
export async function entryFile(kind: ModuleKind, name: string, place: string): Promise<string> {
  if (!(await stat(place)).isDirectory()) return place;
  const manifest = join(place, "package.json");
  const text = readRegularText(manifest);
  if (text === undefined) throw new UsageError(`The ${kind} "${name}" has no ${manifest}.`);
  const entries = packageEntries((parseJson(manifest, text) ?? {}) as Parameters<typeof packageEntries>[0]);
  const files = entries.map((entry) => join(place, entry));
  for (const file of files) if (await exists(file)) return file;
  const file = files.at(-1);
  if (file === undefined) throw new UsageError(`The ${kind} "${name}" exports nothing under "." in its package.json.`);
  throw new UsageError(
    `The ${kind} "${name}" is not built: its ${relative(place, file)} does not exist. Run its build.`,
  );
}

/** Reads the file of a module, and those that it imports by relative paths. @throws FileError if it cannot be read */
export async function readModule(file: string): Promise<ModuleFile> {
  const code = readRegularFile(file, { most: mostBytes });
  if (!code) throw new FileError(file, "it does not exist");
  const { createHash } = await import("node:crypto");
  const imports = ownImports(code, mostBytes);
  const hash = createHash("sha256").update(code.bytes);
  for (const { real, bytes } of imports) hash.update(`\n${relative(code.real, real)} ${bytes.length}\n`).update(bytes);
  return { file, code, imports, hash: hash.digest("hex") };
}

/**
 * The module that would be loaded for a name of a project's configuration; undefined for a package that is not installed in the project.
 * A file that is missing is named, too.
 *
 * @param root a folder of the project
 */
export async function moduleOf(kind: ModuleKind, name: string, root: string): Promise<ModuleFile | undefined> {
  const place = isPath(name) ? resolve(root, name) : await installed(name, projectModules(resolve(root)));
  if (place === undefined) return undefined;
  const file = await entryFile(kind, name, place).catch(() => place);
  // A module that is missing may be made later.
  return readModule(file).catch(() => ({ file, code: undefined, imports: [], hash: "" }));
}

/** The folder of a package in the first `node_modules` that holds it. */
export async function installed(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const modules of folders) {
    const path = join(modules, name);
    if (await exists(join(path, "package.json"))) return path;
  }
  return undefined;
}

/** @throws UsageError in place of what `work` throws */
export async function attempt<T>(problem: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new UsageError(`${problem}: ${reasonOf(cause)}`, { cause });
  }
}

/** The message of a syntax error quotes the file, which may be no module at all. */
function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return String(cause);
  const isImport = cause.message.startsWith("The requested module");
  if (!(cause instanceof SyntaxError) || isImport) return cause.message.split("\n")[0];
  return "it is not JavaScript; node --check says where.";
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
