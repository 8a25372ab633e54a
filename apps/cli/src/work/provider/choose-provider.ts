import { isProviderError, type Provider, withRetry } from "@cogency/provider";
import type { PresetName } from "@cogency/provider-openai";
import { checkAddress } from "../../base/check-address.ts";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { readApiKeys } from "../../place/api-keys.ts";
import { presets } from "../../place/provider/presets.ts";
import { keysFor } from "./keys-for.ts";
import type { ProviderPlaces } from "./load-provider.ts";
import { MissingKeyError } from "./missing-key-error.ts";
import { namedProvider, type ServerChoice } from "./named-provider.ts";
import { servedModel } from "./served-model.ts";

/** Which server and model are asked. */
export type ProviderChoice = ProviderPlaces & ServerChoice;

type Tell = (text: string) => void;

/**
 * Returns the provider that is named by the options, by a key or by an address. Retries requests that a server refuses for the
 * moment. A server at another address than the provider's own is asked for its model, if none is named.
 *
 * @param tell receives what a person should know about the choice; the default writes to stderr
 * @throws UsageError if there is no provider to choose, if it does not exist, or lacks an address or a model; MissingKeyError if it lacks a key
 */
export async function chooseProvider(choice: ProviderChoice, tell: Tell = note): Promise<Provider> {
  const kept = await readApiKeys();
  const named = namedProvider(choice, { ...kept, ...process.env });
  if (named.provider === undefined) throw new (named.needsKey ? MissingKeyError : UsageError)(named.problem);
  const { provider: name } = named;
  const address = addressFor(name, choice);
  const isOpenAI = name === "openai" || isPreset(name);
  if (choice.api !== undefined && !isOpenAI) {
    throw new UsageError(`--api chooses between the wires of OpenAI: "${name}" has one of its own. Leave it out.`);
  }
  if (name === "offline") return offlineProvider(choice);
  if (name === "llama") {
    const { llamaProvider } = await import("./llama-provider.ts");
    return llamaProvider(choice);
  }
  const apiKey = keysFor(name, address, choice.apiKeyEnv, { kept, tell });
  const model = choice.model ?? (await servedModel(name, address, apiKey, tell));
  try {
    return withRetry(await makeProvider(name, { ...choice, ...(model !== undefined && { model }) }, apiKey));
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const said = messageOf(error);
    // That of a missing key names the service.
    if (error.code === "missing_key") throw new MissingKeyError(said, { cause: error });
    throw new UsageError(`${name}: ${said}`, { cause: error });
  }
}

/** Where a provider with a wire of its own finds another address for its server, and what that looks like. */
const ownWires: Readonly<Record<string, { variable: string; example: string }>> = {
  openai: { variable: "OPENAI_BASE_URL", example: "http://localhost:11434/v1" },
  anthropic: { variable: "ANTHROPIC_BASE_URL", example: "https://api.anthropic.com" },
  google: { variable: "GOOGLE_GEMINI_BASE_URL", example: "https://generativelanguage.googleapis.com" },
};

/** The address that was given, else the one in the provider's environment variable. */
function addressFor(name: string, { baseUrl }: ProviderChoice): string | undefined {
  const own = Object.hasOwn(ownWires, name) ? ownWires[name] : undefined;
  const address = baseUrl ?? (own && process.env[own.variable]);
  if (!address) return undefined;
  const source = baseUrl === undefined && own ? own.variable : "--base-url";
  checkAddress(source, address, own?.example ?? "http://localhost:11434/v1");
  return address;
}

function isPreset(name: string): name is PresetName {
  return presets.some((preset) => preset === name);
}

async function offlineProvider({ model, baseUrl, apiKeyEnv }: ProviderChoice): Promise<Provider> {
  if (baseUrl !== undefined) throw new UsageError("--base-url is of no use to the offline model: leave one out.");
  if (apiKeyEnv !== undefined) throw new UsageError("--api-key-env is of no use to the offline model: leave one out.");
  if (model !== undefined && !model.startsWith("offline"))
    throw new UsageError(
      `The offline model has no "${oneLine(model, 60)}": leave --model out, or name the provider of that model, such as --provider openai.`,
    );
  const { offline } = await import("@cogency/provider-offline");
  return offline({ model });
}

async function makeProvider(
  name: string,
  { model, baseUrl, api, apiKeyEnv, ...places }: ProviderChoice,
  apiKey: readonly string[] | undefined,
): Promise<Provider> {
  const given = { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseURL: baseUrl }) };
  const options = { ...given, ...(apiKey !== undefined && { apiKey }) };
  if (name === "anthropic") {
    const { anthropic } = await import("@cogency/provider-anthropic");
    return anthropic(options);
  }
  if (name === "google") {
    const { google } = await import("@cogency/provider-google");
    return google(options);
  }
  if (name === "openai" || isPreset(name)) {
    const { openai } = await import("@cogency/provider-openai");
    return openai({ ...options, api, ...(isPreset(name) && { preset: name }) });
  }
  const { loadProvider } = await import("./load-provider.ts");
  return loadProvider(name, apiKeyEnv === undefined ? given : options, places);
}
