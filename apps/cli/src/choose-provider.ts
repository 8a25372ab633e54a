import { styleText } from "node:util";
import { type Provider, ProviderError } from "@cogency/provider";
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
  if (baseUrl !== undefined) checkAddress("--base-url", baseUrl);
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

/** The address is not repeated: it may hold a password. */
function checkAddress(source: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new UsageError(`${source} is not an HTTP address. Give the whole of it, such as http://localhost:11434/v1.`);
  }
  if (url.username === "" && url.password === "") return;
  throw new UsageError(`${source} must not hold a user name or a password. Give a key in OPENAI_API_KEY.`);
}

async function openaiProvider(options: { model?: string; baseURL?: string }): Promise<Provider> {
  const { OPENAI_BASE_URL } = process.env;
  if (options.baseURL === undefined && OPENAI_BASE_URL) checkAddress("OPENAI_BASE_URL", OPENAI_BASE_URL);
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
