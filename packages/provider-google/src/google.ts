import { checkOptions } from "@cogency/protocol/options";
import { type Provider, rotateKeys } from "@cogency/provider";
import { createGate, keyAdvice, keysFor, missingKey, parseBaseURL } from "@cogency/provider/http";
import { createEndpoint } from "./endpoint.ts";
import { providerName } from "./generate-content/native.ts";
import { generateContentStream } from "./generate-content/stream.ts";
import { thinkingWays } from "./generate-content/thinking-ways.ts";
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
  const environment = globalThis.process?.env ?? {};
  const { GOOGLE_GEMINI_BASE_URL: other } = environment;
  const { apiKey: given, baseURL } = options;
  const url =
    baseURL === undefined ? parseBaseURL(other || ownBaseURL, "GOOGLE_GEMINI_BASE_URL") : parseBaseURL(baseURL);
  const variables = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];
  const found = keysFor({ url, given, environment, variables, home: [ownBaseURL, other] });
  const keys = found.keys.map((key) => key.trim());
  if (url.origin === ownBaseURL && keys.length === 0) throw missingKey("Gemini", "GEMINI_API_KEY");
  const settings = { ...options, url, keys, advice: keyAdvice(found) };
  const gate = createGate(thinkingWays(options));
  const make = (apiKey: string): Provider => {
    const endpoint = createEndpoint({ ...settings, apiKey });
    return {
      name: providerName,
      model: endpoint.defaults.model,
      capabilities: {
        tools: true,
        session: false,
        reasoning: true,
        thinking: true,
        format: true,
        attachments: ["image", "file"],
        ...(endpoint.defaults.model.startsWith("gemini-") && { contextWindow: 1_048_576 }),
      },
      stream: gate(generateContentStream(endpoint)),
    };
  };
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}
