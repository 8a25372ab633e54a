import { styleText } from "node:util";
import { type Provider, ProviderError, withRetry } from "@cogency/provider";
import { apiKeys } from "@cogency/provider/http";
import type { OpenAIOptions, PresetName } from "@cogency/provider-openai";
import { checkAddress } from "./check-address.ts";
import { loadProvider } from "./load-provider.ts";
import { messageOf } from "./message-of.ts";
import { presets } from "./presets.ts";
import { UsageError } from "./usage-error.ts";

export interface ProviderChoice {
  provider?: string;
  model?: string;
  baseUrl?: string;
  api?: NonNullable<OpenAIOptions["api"]>;
}

/**
 * The provider that was asked for; else the one whose server or key there is; else the offline model. What a server
 * refuses for the moment is tried again.
 *
 * @throws UsageError if there is no such provider, or it lacks what it needs
 */
export async function chooseProvider(choice: ProviderChoice): Promise<Provider> {
  const name = choice.provider ?? nameFor(choice);
  if (choice.baseUrl !== undefined) checkAddress("--base-url", choice.baseUrl, exampleFor(name));
  checkVariable(name, choice);
  const isOpenAI = name === "openai" || isPreset(name);
  if (choice.api !== undefined && !isOpenAI) {
    throw new UsageError(`--api chooses between the wires of OpenAI: "${name}" has one of its own. Leave it out.`);
  }
  if (name === "offline") return offlineProvider(choice);
  try {
    return withRetry(await makeProvider(name, choice));
  } catch (error) {
    if (error instanceof ProviderError) throw new UsageError(advised(error, name), { cause: error });
    throw error;
  }
}

function nameFor({ baseUrl, api }: ProviderChoice): string {
  if (baseUrl !== undefined || api !== undefined || apiKeys(process.env, "OPENAI_API_KEY").length > 0) return "openai";
  if (apiKeys(process.env, "ANTHROPIC_API_KEY").length > 0) return "anthropic";
  const notice =
    "No OPENAI_API_KEY or ANTHROPIC_API_KEY found: using the offline model, which only understands plain file requests.";
  process.stderr.write(`${styleText("dim", notice, { stream: process.stderr })}\n`);
  return "offline";
}

function exampleFor(name: string): string {
  return name === "anthropic" ? "https://api.anthropic.com" : "http://localhost:11434/v1";
}

/** The variable in which a provider looks for its server where none was given. */
function checkVariable(name: string, { baseUrl }: ProviderChoice): void {
  const variable = name === "openai" ? "OPENAI_BASE_URL" : name === "anthropic" ? "ANTHROPIC_BASE_URL" : undefined;
  const address = variable && process.env[variable];
  if (variable && address && baseUrl === undefined) checkAddress(variable, address, exampleFor(name));
}

function isPreset(name: string): name is PresetName {
  return presets.some((preset) => preset === name);
}

async function offlineProvider({ model, baseUrl }: ProviderChoice): Promise<Provider> {
  if (baseUrl !== undefined) throw new UsageError("--base-url is of no use to the offline model: leave one out.");
  const { offline } = await import("@cogency/provider-offline");
  return offline({ model });
}

async function makeProvider(name: string, { model, baseUrl, api }: ProviderChoice): Promise<Provider> {
  const options = { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseURL: baseUrl }) };
  if (name === "anthropic") {
    const { anthropic } = await import("@cogency/provider-anthropic");
    return anthropic(options);
  }
  if (name === "openai" || isPreset(name)) {
    const { openai } = await import("@cogency/provider-openai");
    return openai({ ...options, api, ...(isPreset(name) && { preset: name }) });
  }
  return loadProvider(name, options);
}

function advised(error: ProviderError, name: string): string {
  const said = messageOf(error);
  return error.code === "missing_key" ? `${said} Or use --provider offline, which needs none.` : `${name}: ${said}`;
}
