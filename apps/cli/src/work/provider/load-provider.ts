import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Provider } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { realPath } from "../../base/files/real-path.ts";
import { note } from "../../base/terminal/note.ts";
import { isTrustedFolder } from "../../place/config/trust.ts";
import { programModules, projectModules } from "../../place/provider/module-folders.ts";
import { presets } from "../../place/provider/presets.ts";
import {
  attempt,
  entryFile,
  exists,
  installed,
  isPath,
  type ProviderModule,
  readModule,
} from "../../place/provider/provider-file.ts";
import { distrustOf } from "../../place/provider/trusted-file.ts";

/** The options that the default function of a provider receives; an option that was not given is absent. */
export interface GivenOptions {
  model?: string;
  baseURL?: string;
  apiKey?: readonly string[];
}

/** Where providers come from. */
export interface ProviderPlaces {
  /** The folder in whose project bare names are searched. */
  root: string;
  /** The modules that a trusted configuration names, by these names: they run as they were reviewed. */
  modules?: ReadonlyMap<string, ProviderModule>;
}

/**
 * Loads a provider and calls its default export with `options`. `name` is the path of a module or of a package folder,
 * relative to the current folder, or the bare name of a package. A bare name is searched in the project of the root
 * and then beside this program, and stderr says which file was loaded.
 *
 * @throws UsageError if the provider cannot be found, loaded or made, is not a Provider, belongs to another user, or is meant by
 * its bare name and stands in a folder that is not trusted
 */
export async function loadProvider(
  name: string,
  options: GivenOptions,
  { root, modules }: ProviderPlaces,
): Promise<Provider> {
  const { file, code } = modules?.get(name) ?? (await moduleOf(name, root));
  if (!code) throw new UsageError(`The provider "${name}" is not loaded: there is no ${file} that can be read.`);
  const distrust = await distrustOf(file);
  if (distrust !== undefined) throw new UsageError(`The provider "${name}" is not loaded: ${distrust}.`);
  if (!isPath(name)) note(`The provider "${name}" is ${file}.`);
  const make = await defaultFunction(name, code);
  const provider = await attempt(`The provider "${name}" could not be made`, () => make(options));
  if (isProvider(provider)) return provider;
  throw new UsageError(
    `The default function of "${name}" returned no Provider: it needs \`name\`, \`model\`, \`capabilities\` and \`stream\`.`,
  );
}

async function moduleOf(name: string, root: string): Promise<ProviderModule> {
  return readModule(await entryFile(name, isPath(name) ? await pathOf(name) : await packageFolder(name, root)));
}

async function pathOf(name: string): Promise<string> {
  const path = resolve(name);
  if (await exists(path)) return path;
  throw new UsageError(`The provider "${name}" was not found: there is no ${path}.`);
}

async function packageFolder(name: string, root: string): Promise<string> {
  const path = await installed(name, projectModules(resolve(root)));
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

/** A name alone is no consent: the folder, and not the person, chooses what it stands for. */
function refuseUntrusted(name: string, path: string): void {
  const owner = dirname(path.slice(0, -name.length));
  const top = realPath(owner) ?? owner;
  if (isTrustedFolder(top)) return;
  const below = relative(".", path);
  const typed = below.startsWith(".") ? below : `./${below}`;
  throw new UsageError(
    `The provider "${name}" would run ${path}, and this folder is not trusted. Give its path, --provider ${typed}, or trust the folder: cogency trust ${top}`,
  );
}

async function defaultFunction(
  name: string,
  code: NonNullable<ProviderModule["code"]>,
): Promise<(options: object) => unknown> {
  const { importModule } = await import("./import-module.ts");
  const module = await attempt(`The provider "${name}" cannot be loaded`, () => importModule(code));
  // A CommonJS module that was compiled from ESM holds its default export one level deeper.
  const make: unknown = module.default?.default ?? module.default;
  if (typeof make === "function") return make as (options: object) => unknown;
  throw new UsageError(
    `"${name}" is no provider: it has no default export that is a function, \`(options) => Provider\`. A tool or a store is used by a program with createAgent, and not by --provider.`,
  );
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
