import type { Provider } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { attempt, type ModuleFile } from "../../place/modules/module-file.ts";
import { providerNames } from "../../place/provider/provider-names.ts";
import { loadModule } from "../modules/load-module.ts";

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
  modules?: ReadonlyMap<string, ModuleFile>;
}

/**
 * Loads a provider and calls its default export with `options`.
 *
 * @throws UsageError if the provider cannot be found, loaded or made, or is not a Provider; see `loadModule`
 */
export async function loadProvider(
  name: string,
  options: GivenOptions,
  { root, modules }: ProviderPlaces,
): Promise<Provider> {
  const { module } = await loadModule({
    kind: "provider",
    name,
    root,
    reviewed: modules?.get(name),
    known: providerNames,
  });
  // A CommonJS module that was compiled from ESM holds its default export one level deeper.
  const make: unknown = module.default?.default ?? module.default;
  if (typeof make !== "function")
    throw new UsageError(
      `"${name}" is no provider: it has no default export that is a function, \`(options) => Provider\`. A tool is used with --tool; a store is used by a program with createAgent.`,
    );
  const provider: unknown = await attempt(`The provider "${name}" could not be made`, () => make(options));
  if (isProvider(provider)) return provider;
  throw new UsageError(
    `The default function of "${name}" returned no Provider: it needs \`name\`, \`model\`, \`capabilities\` and \`stream\`.`,
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
