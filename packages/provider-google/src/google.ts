import { checkOptions } from "@cogency/protocol/options";
import { type Provider, ProviderError, rotateKeys } from "@cogency/provider";
import { keyAdvice, keysFor, parseBaseURL } from "@cogency/provider/http";
import { createEndpoint } from "./endpoint/create-endpoint.ts";
import { providerName } from "./generate-content/native.ts";
import { generateContentStream } from "./generate-content/stream.ts";
import { type GoogleOptions, optionKinds } from "./options.ts";

const ownBaseURL = "https://generativelanguage.googleapis.com";

/**
 * A provider for Google's Gemini models over `streamGenerateContent`, and for every server that speaks it.
 *
 * @throws ProviderError `missing_key` if the server is Google's and there is no key; `bad_request` if `baseURL` is not an
 * HTTP address or holds credentials; `insecure` if a key would be sent to another machine over plain http
 * @throws TypeError for an unknown option and one of a wrong type, RangeError if a timeout or a limit is not greater than 0
 */
export function google(options: GoogleOptions = {}): Provider {
  checkOptions("google", options, optionKinds);
  const env = globalThis.process?.env ?? {};
  const url = baseURLOf(options, env.GOOGLE_GEMINI_BASE_URL);
  const home = [ownBaseURL, env.GOOGLE_GEMINI_BASE_URL];
  const variables = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];
  const found = keysFor({ url, given: options.apiKey, environment: env, variables, home });
  const keys = found.keys.map((key) => key.trim());
  if (url.origin === ownBaseURL && keys.length === 0) throw missingKey();
  const settings = { ...options, url, keys, advice: keyAdvice(found) };
  const make = (apiKey: string): Provider => {
    const endpoint = createEndpoint({ ...settings, apiKey });
    return {
      name: providerName,
      model: endpoint.defaults.model,
      capabilities: { tools: true, session: false, reasoning: true, format: true, attachments: ["image", "file"] },
      stream: generateContentStream(endpoint),
    };
  };
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}

function baseURLOf({ baseURL }: GoogleOptions, fromEnvironment: string | undefined): URL {
  if (baseURL !== undefined) return parseBaseURL(baseURL);
  return parseBaseURL(fromEnvironment || ownBaseURL, "GOOGLE_GEMINI_BASE_URL");
}

function missingKey(): ProviderError {
  return new ProviderError(
    "missing_key",
    "No Gemini API key. Set the environment variable GEMINI_API_KEY or pass `apiKey`; for another server pass its `baseURL`.",
  );
}
