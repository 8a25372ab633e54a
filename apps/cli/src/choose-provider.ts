import { styleText } from "node:util";
import { type Provider, ProviderError } from "@cogency/provider";
import { checkAddress } from "./check-address.ts";
import { loadProvider } from "./load-provider.ts";
import { UsageError } from "./usage-error.ts";

export interface ProviderChoice {
  provider?: string;
  model?: string;
  baseUrl?: string;
}

/**
 * The provider that was asked for; else OpenAI's wire if there is a server or a key for it; else the offline model.
 *
 * @throws UsageError if there is no such provider, or it lacks what it needs
 */
export async function chooseProvider({ provider, model, baseUrl }: ProviderChoice): Promise<Provider> {
  if (baseUrl !== undefined) checkAddress("--base-url", baseUrl, example);
  const options = { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseURL: baseUrl }) };
  const name = provider ?? (baseUrl !== undefined || process.env.OPENAI_API_KEY ? "openai" : "offline");
  if (provider === undefined && name === "offline") {
    const notice = "No OPENAI_API_KEY found: using the offline model, which only understands plain file requests.";
    process.stderr.write(`${styleText("dim", notice, { stream: process.stderr })}\n`);
  }
  switch (name) {
    case "offline": {
      if (baseUrl !== undefined) throw new UsageError("--base-url is of no use to the offline model: leave one out.");
      const { offline } = await import("@cogency/provider-offline");
      return offline(options);
    }
    case "openai":
      return openaiProvider(options);
    default:
      return loadProvider(name, options);
  }
}

const example = "http://localhost:11434/v1";

async function openaiProvider(options: { model?: string; baseURL?: string }): Promise<Provider> {
  const { OPENAI_BASE_URL } = process.env;
  if (options.baseURL === undefined && OPENAI_BASE_URL) checkAddress("OPENAI_BASE_URL", OPENAI_BASE_URL, example);
  const { openai } = await import("@cogency/provider-openai");
  try {
    return openai(options);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code !== "missing_key") throw new UsageError(error.message, { cause: error });
    throw new UsageError(
      "No OpenAI API key. Set OPENAI_API_KEY, name another server with --base-url, or use --provider offline.",
      { cause: error },
    );
  }
}
