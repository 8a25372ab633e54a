import { existsSync, statSync } from "node:fs";
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

/** The files of a module as they were read. */
export interface ModuleFiles {
  readonly file: string;
  /** Its real path, and what it holds: this is what runs. Undefined if it cannot be read. */
  readonly code: OwnFile | undefined;
  /** The files beside it that it imports, and they in turn, as they were read: they run so, too. */
  readonly imports: readonly OwnFile[];
}

/** A module as a person looks at it. */
export interface ModuleFile extends ModuleFiles {
  /** Of what all of its files hold; empty if it cannot be read. */
  readonly hash: string;
}

/** Bytes that a module may have, with all that it imports from beside it. */
const mostBytes = 32 * 1_048_576;

/** Whether a module is named by a path, and not by the bare name of a package. */
export function isPath(name: string): boolean {
  return !bareName.test(name);
}

/** The file that is loaded of a module: itself, or what a package folder exports. @throws UsageError if there is none */
export function entryFile(kind: ModuleKind, name: string, place: string): string {
  if (!statSync(place).isDirectory()) return place;
  const manifest = join(place, "package.json");
  const text = readRegularText(manifest);
  if (text === undefined) throw new UsageError(`The ${kind} "${name}" has no ${manifest}.`);
  const entries = packageEntries((parseJson(manifest, text) ?? {}) as Parameters<typeof packageEntries>[0]);
  const files = entries.map((entry) => join(place, entry));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const file = files.at(-1);
  if (file === undefined) throw new UsageError(`The ${kind} "${name}" exports nothing under "." in its package.json.`);
  throw new UsageError(
    `The ${kind} "${name}" is not built: its ${relative(place, file)} does not exist. Run its build.`,
  );
}

/** Reads the file of a module, and those that it imports by relative paths. @throws FileError if it cannot be read */
export function readModule(file: string): ModuleFiles & { readonly code: OwnFile } {
  const code = readRegularFile(file, { most: mostBytes });
  if (!code) throw new FileError(file, "it does not exist");
  return { file, code, imports: ownImports(code, mostBytes) };
}

async function hashed(file: string): Promise<ModuleFile> {
  const module = readModule(file);
  const { code, imports } = module;
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(code.bytes);
  for (const { real, bytes } of imports) hash.update(`\n${relative(code.real, real)} ${bytes.length}\n`).update(bytes);
  return { ...module, hash: hash.digest("hex") };
}

/**
 * The module that would be loaded for a name of a project's configuration; undefined for a package that is not installed in the project.
 * A file that is missing is named, too.
 *
 * @param root a folder of the project
 */
export async function moduleOf(kind: ModuleKind, name: string, root: string): Promise<ModuleFile | undefined> {
  const place = isPath(name) ? resolve(root, name) : installed(name, projectModules(resolve(root)));
  if (place === undefined) return undefined;
  const file = entryOr(kind, name, place);
  // A module that is missing may be made later.
  return hashed(file).catch(() => ({ file, code: undefined, imports: [], hash: "" }));
}

function entryOr(kind: ModuleKind, name: string, place: string): string {
  try {
    return entryFile(kind, name, place);
  } catch {
    return place;
  }
}

/** The folder of a package in the first `node_modules` that holds it. */
export function installed(name: string, folders: readonly string[]): string | undefined {
  return folders.map((modules) => join(modules, name)).find((path) => existsSync(join(path, "package.json")));
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
  if ((cause as NodeJS.ErrnoException).code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")
    return "it has TypeScript that Node does not run, such as an enum. Leave that out, or build the package.";
  const missing = /^Cannot find package '([^']+)'/.exec(cause.message)?.[1];
  if (missing !== undefined) return `it imports "${missing}", which is not installed beside it: npm install ${missing}`;
  const isImport = cause.message.startsWith("The requested module");
  if (!(cause instanceof SyntaxError) || isImport) return cause.message.split("\n")[0];
  return "it is not JavaScript; node --check says where.";
}
