import { oneLine } from "../../base/terminal/text.ts";
import type { Options } from "../../place/config/option-table.ts";
import { type ModelServer, modelServers } from "./known-servers.ts";

/** What says which server is asked. */
export type ServerChoice = Options<"provider" | "model" | "baseUrl" | "apiKeyEnv" | "api">;

/** The provider to ask; else why there is none, and whose model was named, if that is known. */
export type NamedProvider =
  | { readonly provider: string }
  | {
      readonly provider?: undefined;
      readonly problem: string;
      readonly maker?: ModelServer;
      /** Whether it is a key that is missing. */
      readonly needsKey?: true;
    };

/** Why no server can be asked. */
export type NoProvider = Extract<NamedProvider, { problem: string }>;

/**
 * Finds the provider that a person has named: by an option, by a key, or by an address in the environment. A model or a key alone names
 * the server that it is known to belong to, and no other one: a prompt goes to nobody by accident. The offline model is never chosen for
 * a person, because it would answer in the place of the model that they mean.
 *
 * @param environment with the keys that are kept
 */
export function namedProvider(choice: ServerChoice, environment: NodeJS.ProcessEnv): NamedProvider {
  const { provider, model, baseUrl, api, apiKeyEnv } = choice;
  if (provider !== undefined) return { provider };
  if (baseUrl !== undefined) return { provider: "openai" };
  const elsewhere = modelServers.filter(({ addressVariable }) => addressVariable && environment[addressVariable]);
  if (apiKeyEnv !== undefined) return ownerOf(apiKeyEnv, elsewhere);
  if (api !== undefined) return { provider: "openai" };
  const keyed = modelServers.filter(({ keyVariables: [name] }) => name && isKeySet(name, environment));
  const [first] = [...keyed, ...elsewhere];
  if (model === undefined) return first ? { provider: first.name } : { problem: noModel, needsKey: true };
  const maker = modelServers.find(({ models }) => models?.test(model));
  // A server at an address of its own may have any model.
  const found = maker && keyed.includes(maker) ? maker : elsewhere[0];
  if (found) return { provider: found.name };
  const name = oneLine(model, 60);
  const advice = "or name the server that has it, with --provider or --base-url.";
  if (!maker)
    return first
      ? { problem: `No server is named for the model "${name}": add --provider or --base-url.` }
      : { problem: noModel, needsKey: true };
  const problem = `The model "${name}" needs a key of ${maker.name}: cogency config key set ${maker.keyVariables[0]}; ${advice}`;
  return { problem, maker, needsKey: true };
}

/** As the providers look for keys, without loading one: the chat asks this before its first frame. */
function isKeySet(name: string, environment: NodeJS.ProcessEnv): boolean {
  const isOfName = (key: string) => key === name || (key.startsWith(name) && /^_\d{1,4}$/.test(key.slice(name.length)));
  return Object.entries(environment).some(([key, value]) => isOfName(key) && value?.trim());
}

/** What to set where nothing says which model is meant. */
export const noModel =
  "There is no model to ask, because no key is set: cogency config key set OPENAI_API_KEY; or name a server on this machine with --provider ollama, or the small model for trying Cogency out with --provider offline.";

/** A key says whose it is by the name of its variable. The name is not repeated: it may be the key itself, typed by mistake. */
function ownerOf(apiKeyEnv: string, elsewhere: readonly ModelServer[]): NamedProvider {
  const owner = modelServers.find(({ keyVariables }) => keyVariables.includes(apiKeyEnv)) ?? elsewhere[0];
  if (owner) return { provider: owner.name };
  return { problem: "--api-key-env says which key is sent, and not where: add --provider or --base-url." };
}
