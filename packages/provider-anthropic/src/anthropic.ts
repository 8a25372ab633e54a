import { checkOptions } from "@cogency/protocol/options";
import { type Provider, ProviderError, rotateKeys } from "@cogency/provider";
import { hasOriginOf, keyAdvice, keysFor, parseBaseURL } from "@cogency/provider/http";
import { createEndpoint } from "./endpoint/create-endpoint.ts";
import { customHeaders } from "./endpoint/custom-headers.ts";
import { providerName } from "./messages/native.ts";
import { messagesStream } from "./messages/stream.ts";
import { type AnthropicOptions, optionKinds } from "./options.ts";

const ownBaseURL = "https://api.anthropic.com";

/**
 * A provider for Anthropic's Messages API and for every server that speaks it.
 *
 * @throws ProviderError `missing_key` if the server is Anthropic's and there is no key; `bad_request` if `baseURL` is not
 * an HTTP address or holds credentials; `insecure` if a key would be sent to another machine over plain http
 * @throws TypeError for an unknown option and one of a wrong type, RangeError if a timeout or a limit is not greater than 0
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  checkOptions("anthropic", options, optionKinds);
  const env = globalThis.process?.env ?? {};
  const url = baseURLOf(options, env.ANTHROPIC_BASE_URL);
  const home = [ownBaseURL, env.ANTHROPIC_BASE_URL];
  const variables = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
  const found = keysFor({ url, given: options.apiKey, environment: env, variables, home });
  const keys = found.keys.map((key) => key.trim());
  if (url.hostname === "api.anthropic.com" && keys.length === 0) throw missingKey();
  const settings = {
    ...options,
    url,
    keys,
    advice: keyAdvice(found),
    custom: customHeaders(env),
    isHome: hasOriginOf(url, home),
  };
  const make = (apiKey: string): Provider => {
    const endpoint = createEndpoint({ ...settings, apiKey });
    return {
      name: providerName,
      model: endpoint.defaults.model,
      capabilities: { tools: true, session: false, reasoning: true, format: true, attachments: ["image", "file"] },
      stream: messagesStream(endpoint),
    };
  };
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}

function baseURLOf({ baseURL }: AnthropicOptions, fromEnvironment: string | undefined): URL {
  if (baseURL !== undefined) return parseBaseURL(baseURL);
  return parseBaseURL(fromEnvironment || ownBaseURL, "ANTHROPIC_BASE_URL");
}

function missingKey(): ProviderError {
  return new ProviderError(
    "missing_key",
    "No Anthropic API key. Set the environment variable ANTHROPIC_API_KEY or pass `apiKey`; for another server pass its `baseURL`.",
  );
}
