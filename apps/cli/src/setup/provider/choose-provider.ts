import { type Provider, ProviderError, withRetry } from "@cogency/provider";
import { apiKeys } from "@cogency/provider/http";
import type { OpenAIOptions, PresetName } from "@cogency/provider-openai";
import { messageOf } from "../../errors/message-of.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { note } from "../../terminal/note.ts";
import { checkAddress } from "../check-address.ts";
import { keysFor } from "./keys-for.ts";
import { loadProvider } from "./load-provider.ts";
import { presets } from "./presets.ts";

export interface ProviderChoice {
  provider?: string;
  model?: string;
  baseUrl?: string;
  /** The environment variable of the key that belongs to `baseUrl`. */
  apiKeyEnv?: string;
  api?: NonNullable<OpenAIOptions["api"]>;
}

/**
 * Returns the provider that the options name, else the one that has a server or a key, else the offline model. Retries
 * requests that a server refuses for the moment.
 *
 * @throws UsageError if the provider does not exist, or lacks a key or an address
 */
export async function chooseProvider(choice: ProviderChoice): Promise<Provider> {
  const name = choice.provider ?? nameFor(choice);
  const address = addressFor(name, choice);
  const isOpenAI = name === "openai" || isPreset(name);
  if (choice.api !== undefined && !isOpenAI) {
    throw new UsageError(`--api chooses between the wires of OpenAI: "${name}" has one of its own. Leave it out.`);
  }
  if (name === "offline") return offlineProvider(choice);
  const apiKey = keysFor(name, address, choice.apiKeyEnv);
  try {
    return withRetry(await makeProvider(name, choice, apiKey));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new UsageError(advised(error, name), { cause: error });
  }
}

function nameFor({ baseUrl, api, apiKeyEnv }: ProviderChoice): string {
  if (baseUrl !== undefined || api !== undefined || apiKeyEnv !== undefined) return "openai";
  if (apiKeys(process.env, "OPENAI_API_KEY").length > 0) return "openai";
  if (apiKeys(process.env, "ANTHROPIC_API_KEY").length > 0) return "anthropic";
  note(
    "No OPENAI_API_KEY or ANTHROPIC_API_KEY found: using the offline model, which only understands plain file requests.",
  );
  return "offline";
}

function exampleFor(name: string): string {
  return name === "anthropic" ? "https://api.anthropic.com" : "http://localhost:11434/v1";
}

/** The address that was given, else the one in the provider's environment variable. */
function addressFor(name: string, { baseUrl }: ProviderChoice): string | undefined {
  if (baseUrl !== undefined) checkAddress("--base-url", baseUrl, exampleFor(name));
  const variable = name === "openai" ? "OPENAI_BASE_URL" : name === "anthropic" ? "ANTHROPIC_BASE_URL" : undefined;
  const address = baseUrl ?? (variable && process.env[variable]);
  if (!address) return undefined;
  if (variable && baseUrl === undefined) checkAddress(variable, address, exampleFor(name));
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
  { model, baseUrl, api, apiKeyEnv }: ProviderChoice,
  apiKey: readonly string[] | undefined,
): Promise<Provider> {
  const given = { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseURL: baseUrl }) };
  const options = { ...given, ...(apiKey !== undefined && { apiKey }) };
  if (name === "anthropic") {
    const { anthropic } = await import("@cogency/provider-anthropic");
    return anthropic(options);
  }
  if (name === "openai" || isPreset(name)) {
    const { openai } = await import("@cogency/provider-openai");
    return openai({ ...options, api, ...(isPreset(name) && { preset: name }) });
  }
  return loadProvider(name, apiKeyEnv === undefined ? given : options);
}

function advised(error: ProviderError, name: string): string {
  const said = messageOf(error);
  if (error.code === "missing_key") return `${said} Or use --provider offline, which needs none.`;
  return `${name}: ${said}`;
}
