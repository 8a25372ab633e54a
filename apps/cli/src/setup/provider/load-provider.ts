import { readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Provider } from "@cogency/provider";
import { projectFiles } from "../../config/project.ts";
import { isTrustedFolder } from "../../config/trust.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { note } from "../../terminal/note.ts";
import { programModules, projectModules } from "./module-folders.ts";
import { packageEntry } from "./package-entry.ts";
import { presets } from "./presets.ts";
import { distrustOf } from "./trusted-file.ts";

/** The options that the default function of a provider receives; an option that was not given is absent. */
export interface GivenOptions {
  model?: string;
  baseURL?: string;
  apiKey?: readonly string[];
}

/**
 * Loads a provider and calls its default export with `options`. `name` is the path of a module or of a package folder,
 * relative to the current folder, or the bare name of a package. A bare name is searched in the project of the current
 * folder and then beside this program, and stderr says which file was loaded.
 *
 * @throws UsageError if the provider cannot be found, loaded or made, is not a Provider, belongs to another user, or is meant by
 * its bare name and stands in a folder that is not trusted
 */
export async function loadProvider(name: string, options: GivenOptions): Promise<Provider> {
  const file = await entryFile(name, isPath(name) ? await pathOf(name) : await packageFolder(name));
  const distrust = await distrustOf(file);
  if (distrust !== undefined) throw new UsageError(`The provider "${name}" is not loaded: ${distrust}.`);
  if (!isPath(name)) note(`The provider "${name}" is ${file}.`);
  const make = await defaultFunction(name, file);
  const provider = await attempt(`The provider "${name}" could not be made`, () => make(options));
  if (isProvider(provider)) return provider;
  throw new UsageError(
    `The default function of "${name}" returned no Provider: it needs \`name\`, \`model\`, \`capabilities\` and \`stream\`.`,
  );
}

const bareName = /^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

function isPath(name: string): boolean {
  return !bareName.test(name);
}

async function pathOf(name: string): Promise<string> {
  const path = resolve(name);
  if (await exists(path)) return path;
  throw new UsageError(`The provider "${name}" was not found: there is no ${path}.`);
}

async function packageFolder(name: string): Promise<string> {
  const path = await installed(name, projectModules(process.cwd()));
  if (path !== undefined) {
    refuseUntrusted(name, path);
    return path;
  }
  const beside = await installed(name, programModules(fileURLToPath(import.meta.url)));
  if (beside !== undefined) return beside;
  const advice = (await exists(resolve(name)))
    ? `For the path, write "./${name}".`
    : 'Install the package in this project, or give a path that begins with "../../".';
  const known = `offline, openai, anthropic, google, ${presets.join(", ")}`;
  throw new UsageError(`Unknown provider "${name}": it is none of ${known}, and no installed package. ${advice}`);
}

async function installed(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const modules of folders) {
    const path = join(modules, name);
    if (await exists(join(path, "package.json"))) return path;
  }
  return undefined;
}

/** A name alone is no consent: the folder, and not the person, chooses what it stands for. */
function refuseUntrusted(name: string, path: string): void {
  const { top } = projectFiles(".");
  if (isTrustedFolder(top)) return;
  const below = relative(".", path);
  const typed = below.startsWith(".") ? below : `./${below}`;
  throw new UsageError(
    `The provider "${name}" would run ${path}, and this folder is not trusted. Give its path, --provider ${typed}, or trust the folder: cogency trust ${top}`,
  );
}

async function entryFile(name: string, place: string): Promise<string> {
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

async function defaultFunction(name: string, file: string): Promise<(options: object) => unknown> {
  const { importModule } = await import("./import-module.ts");
  const module = await attempt(`The provider "${name}" cannot be loaded`, () => importModule(pathToFileURL(file).href));
  // A CommonJS module that was compiled from ESM holds its default export one level deeper.
  const make: unknown = module.default?.default ?? module.default;
  if (typeof make === "function") return make as (options: object) => unknown;
  throw new UsageError(`The provider "${name}" has no default export that is a function, \`(options) => Provider\`.`);
}

async function attempt<T>(problem: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${problem}: ${reason.split("\n")[0]}`, { cause });
  }
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== "object" || value === null) return false;
  const { name, model, capabilities, stream } = value as Partial<Record<keyof Provider, unknown>>;
  return (
    typeof name === "string" &&
    typeof model === "string" &&
    typeof capabilities === "object" &&
    typeof stream === "function"
  );
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
