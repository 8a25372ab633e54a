import { checkOptions } from "@cogency/protocol/options";
import { type Provider, rotateKeys } from "@cogency/provider";
import { createGate, findServer, headerLines } from "@cogency/provider/http";
import { createEndpoint } from "./endpoint.ts";
import { providerName } from "./messages/native.ts";
import { messagesStream } from "./messages/stream.ts";
import { type AnthropicOptions, optionKinds } from "./options.ts";

const names = {
  service: "Anthropic",
  address: "https://api.anthropic.com",
  addressVariable: "ANTHROPIC_BASE_URL",
  keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
};

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
  const server = findServer({ ...names, environment }, options);
  const { keys } = server;
  const settings = { ...options, ...server, custom: headerLines(environment.ANTHROPIC_CUSTOM_HEADERS) };
  const gate = createGate();
  const make = (apiKey: string): Provider => {
    const endpoint = createEndpoint({ ...settings, apiKey });
    return {
      name: providerName,
      model: endpoint.defaults.model,
      capabilities: { tools: true, session: false, reasoning: true, format: true, attachments: ["image", "file"] },
      stream: gate(messagesStream(endpoint)),
    };
  };
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}
