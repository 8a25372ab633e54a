import { checkOptions } from "@cogency/protocol/options";
import { type Provider, rotateKeys } from "@cogency/provider";
import { createGate, hasOriginOf, keyAdvice, keysFor, missingKey, parseBaseURL } from "@cogency/provider/http";
import { createEndpoint } from "./endpoint.ts";
import { providerName } from "./messages/native.ts";
import { messagesStream } from "./messages/stream.ts";
import { thinkingWays } from "./messages/thinking-ways.ts";
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
  const environment = globalThis.process?.env ?? {};
  const { ANTHROPIC_BASE_URL: other } = environment;
  const { apiKey: given, baseURL } = options;
  const url = baseURL === undefined ? parseBaseURL(other || ownBaseURL, "ANTHROPIC_BASE_URL") : parseBaseURL(baseURL);
  const home = [ownBaseURL, other];
  const variables = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
  const found = keysFor({ url, given, environment, variables, home });
  const keys = found.keys.map((key) => key.trim());
  if (url.hostname === "api.anthropic.com" && keys.length === 0) throw missingKey("Anthropic", "ANTHROPIC_API_KEY");
  const custom = customHeaders(environment.ANTHROPIC_CUSTOM_HEADERS);
  const settings = { ...options, url, keys, advice: keyAdvice(found), custom, isHome: hasOriginOf(url, home) };
  const gate = createGate(thinkingWays);
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
        ...(endpoint.defaults.model.startsWith("claude-") && { contextWindow: 200_000 }),
      },
      stream: gate(messagesStream(endpoint)),
    };
  };
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}

/** The headers in ANTHROPIC_CUSTOM_HEADERS, one on each line. The SDK adds them to every request, to any server. */
function customHeaders(given = ""): Record<string, string> {
  const lines = given.split("\n").filter((line) => line.includes(":"));
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(":")).trim(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return Object.fromEntries(pairs);
}
