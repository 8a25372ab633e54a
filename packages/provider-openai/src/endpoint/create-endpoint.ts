import { longestTimer } from "@cogency/async";
import { type ConnectionOptions, httpEndpoint } from "@cogency/provider/http";
import OpenAI from "openai";
import type { OpenAIOptions } from "../options.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointSettings
  extends Pick<Endpoint, "url" | "apiKey" | "name" | "model" | "flavor" | "advice">,
    Pick<OpenAIOptions, "organization">,
    ConnectionOptions {
  /** Every configured key, including those of other endpoints: a server may know and quote them. */
  readonly keys?: readonly string[];
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { apiKey, name, model, flavor, headers = {}, timeouts = {}, keys = [] } = settings;
  const { fetch, ...common } = httpEndpoint({ ...settings, keys: [apiKey, ...keys] });
  return { ...common, client: createClient(settings, fetch), apiKey, headers, timeouts, name, model, flavor };
}

function createClient({ url, apiKey, headers, organization }: EndpointSettings, fetch: typeof globalThis.fetch) {
  // The SDK adds these headers to every request, to any server; null removes them again.
  const lines = (globalThis.process?.env.OPENAI_CUSTOM_HEADERS ?? "").split("\n");
  const custom = lines.filter((line) => line.includes(":")).map((line) => line.slice(0, line.indexOf(":")).trim());
  return new OpenAI({
    baseURL: url.href,
    // The SDK requires a key; without one, the header is removed below.
    apiKey: apiKey || "none",
    defaultHeaders: {
      ...Object.fromEntries(custom.map((name) => [name.toLowerCase(), null])),
      authorization: apiKey ? `Bearer ${apiKey}` : null,
      ...inLowerCase(headers),
    },
    adminAPIKey: null,
    organization: organization ?? null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch,
    // The longest possible timer, because `createFetch` applies the time limits.
    timeout: longestTimer,
  });
}

/** In one spelling, because a header in two spellings would be sent with both values. */
function inLowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
