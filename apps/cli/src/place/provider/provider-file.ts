import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { FileError, readRegularFile, readRegularText } from "../../base/files/read-regular-file.ts";
import { projectModules } from "./module-folders.ts";
import { packageEntry } from "./package-entry.ts";
import { presets } from "./presets.ts";

const bareName = /^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

/** The file of a provider as it was read. */
export interface ProviderModule {
  readonly file: string;
  /** Its real path, and what it holds: this is what runs. Undefined if it cannot be read. */
  readonly code: { readonly real: string; readonly bytes: Uint8Array } | undefined;
  /** Of what it holds; empty if it cannot be read. */
  readonly hash: string;
}

/** Bytes that the file of a provider may have. */
const mostBytes = 32 * 1_048_576;

/** Whether a provider is named by a path, and not by the bare name of a package. */
export function isPath(name: string): boolean {
  return !bareName.test(name);
}

/** The file that is loaded of a provider: a module itself, or what a package folder exports. @throws UsageError if there is none */
export async function entryFile(name: string, place: string): Promise<string> {
  if (!(await stat(place)).isDirectory()) return place;
  const manifest = join(place, "package.json");
  const text = readRegularText(manifest);
  if (text === undefined) throw new UsageError(`The provider "${name}" has no ${manifest}.`);
  const entry = packageEntry((parseJson(manifest, text) ?? {}) as Parameters<typeof packageEntry>[0]);
  if (entry === undefined)
    throw new UsageError(`The provider "${name}" exports nothing under "." in its package.json.`);
  const file = join(place, entry);
  if (await exists(file)) return file;
  throw new UsageError(
    `The provider "${name}" is not built: its ${relative(place, file)} does not exist. Run its build.`,
  );
}

/** Reads the file of a provider. @throws FileError if it cannot be read */
export async function readModule(file: string): Promise<ProviderModule> {
  const code = readRegularFile(file, { most: mostBytes });
  if (!code) throw new FileError(file, "it does not exist");
  const { createHash } = await import("node:crypto");
  return { file, code, hash: createHash("sha256").update(code.bytes).digest("hex") };
}

/**
 * The file that would be loaded of a provider which a project names; undefined for one that is no module, and for a package that is not
 * installed in the project. A file that is missing is named, too.
 *
 * @param root a folder of the project
 */
export async function moduleOf(name: string, root: string): Promise<ProviderModule | undefined> {
  if (builtIn.has(name)) return undefined;
  const place = isPath(name) ? resolve(root, name) : await installed(name, projectModules(resolve(root)));
  if (place === undefined) return undefined;
  const file = await entryFile(name, place).catch(() => place);
  // A module that is missing may be made later.
  return readModule(file).catch(() => ({ file, code: undefined, hash: "" }));
}

const builtIn: ReadonlySet<string> = new Set(["offline", "openai", "anthropic", "google", ...presets]);

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
