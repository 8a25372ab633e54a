import { readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import { projectModules } from "./module-folders.ts";
import { packageEntry } from "./package-entry.ts";
import { presets } from "./presets.ts";

const bareName = /^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

/** Whether a provider is named by a path, and not by the bare name of a package. */
export function isPath(name: string): boolean {
  return !bareName.test(name);
}

/** The file that is loaded of a provider: a module itself, or what a package folder exports. @throws UsageError if there is none */
export async function entryFile(name: string, place: string): Promise<string> {
  if (!(await stat(place)).isDirectory()) return place;
  const manifest = await attempt(`The package.json of the provider "${name}" cannot be read`, async () =>
    JSON.parse(await readFile(join(place, "package.json"), "utf8")),
  );
  const entry = packageEntry(manifest);
  if (entry === undefined)
    throw new UsageError(`The provider "${name}" exports nothing under "." in its package.json.`);
  const file = join(place, entry);
  if (await exists(file)) return file;
  throw new UsageError(
    `The provider "${name}" is not built: its ${relative(place, file)} does not exist. Run its build.`,
  );
}

/**
 * The file that would be loaded of a provider which a project names; undefined for one that is no module, and for a package that is not
 * installed in the project. A file that is missing is named, too.
 *
 * @param root a folder of the project
 */
export async function moduleOf(name: string, root: string): Promise<string | undefined> {
  if (builtIn.has(name)) return undefined;
  const place = isPath(name) ? resolve(root, name) : await installed(name, projectModules(resolve(root)));
  if (place === undefined) return undefined;
  return entryFile(name, place).catch(() => place);
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${problem}: ${reason.split("\n")[0]}`, { cause });
  }
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
