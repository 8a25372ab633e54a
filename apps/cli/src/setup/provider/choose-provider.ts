import { isProviderError, type Provider, type ProviderError, withRetry } from "@cogency/provider";
import { apiKeys } from "@cogency/provider/http";
import type { OpenAIOptions, PresetName } from "@cogency/provider-openai";
import { messageOf } from "../../errors/message-of.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { note } from "../../terminal/note.ts";
import { readApiKeys } from "../api-keys.ts";
import { checkAddress } from "../check-address.ts";
import { keysFor } from "./keys-for.ts";
import { loadProvider, type ProviderPlaces } from "./load-provider.ts";
import { presets } from "./presets.ts";

export interface ProviderChoice extends ProviderPlaces {
  provider?: string;
  model?: string;
  baseUrl?: string;
  /** The environment variable, or the entry of the key file, whose key belongs to `baseUrl`. */
  apiKeyEnv?: string;
  api?: NonNullable<OpenAIOptions["api"]>;
}

type Tell = (text: string) => void;

/**
 * Returns the provider that the options name, else the one that has a server or a key, else the offline model. Retries
 * requests that a server refuses for the moment.
 *
 * @param tell receives what a person should know about the choice; the default writes to stderr
 * @throws UsageError if the provider does not exist, or lacks a key or an address
 */
export async function chooseProvider(choice: ProviderChoice, tell: Tell = note): Promise<Provider> {
  const kept = await readApiKeys();
  const found = choice.provider ?? nameFor(choice, { ...kept, ...process.env });
  const name = found ?? "offline";
  const address = addressFor(name, choice);
  const isOpenAI = name === "openai" || isPreset(name);
  if (choice.api !== undefined && !isOpenAI) {
    throw new UsageError(`--api chooses between the wires of OpenAI: "${name}" has one of its own. Leave it out.`);
  }
  if (found === undefined) return telling(await offlineProvider(choice), tell);
  if (name === "offline") return offlineProvider(choice);
  const apiKey = keysFor(name, address, choice.apiKeyEnv, { kept, tell });
  try {
    return withRetry(await makeProvider(name, choice, apiKey));
  } catch (error) {
    if (!isProviderError(error)) throw error;
    throw new UsageError(advised(error, name), { cause: error });
  }
}

function nameFor({ baseUrl, api, apiKeyEnv }: ProviderChoice, environment: NodeJS.ProcessEnv): string | undefined {
  if (baseUrl !== undefined || api !== undefined || apiKeyEnv !== undefined) return "openai";
  if (apiKeys(environment, "OPENAI_API_KEY").length > 0) return "openai";
  if (apiKeys(environment, "ANTHROPIC_API_KEY").length > 0) return "anthropic";
  // Not by GOOGLE_API_KEY, which may be the key of another service of Google.
  if (apiKeys(environment, "GEMINI_API_KEY").length > 0) return "google";
  return undefined;
}

/** Says at the first request, and only then, that there is no key. */
function telling(provider: Provider, tell: Tell): Provider {
  let isTold = false;
  return {
    ...provider,
    stream(...request) {
      if (!isTold)
        tell(
          "No OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY found: using the offline model, which only understands plain file requests.",
        );
      isTold = true;
      return provider.stream(...request);
    },
  };
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
  return loadProvider(name, apiKeyEnv === undefined ? given : options, places);
}

function advised(error: ProviderError, name: string): string {
  const said = messageOf(error);
  if (error.code === "missing_key") return `${said} The provider "offline" needs none.`;
  return `${name}: ${said}`;
}
