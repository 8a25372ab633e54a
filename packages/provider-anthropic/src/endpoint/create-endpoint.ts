import Anthropic from "@anthropic-ai/sdk";
import { type CompleteLimits, completeLimits, createFetch, redactor, requireEncryption } from "@cogency/provider/http";
import type { RequestDefaults } from "../messages/request.ts";
import type { AnthropicOptions } from "../options.ts";

/** One server and one key, and what the wire needs to know of them. */
export interface Endpoint {
  readonly client: Anthropic;
  readonly url: URL;
  readonly defaults: RequestDefaults;
  readonly limits: CompleteLimits;
  /** What else to say when the server does not know the key, or there is none. */
  readonly advice: string | undefined;
  /** Takes every key, header and query value that is configured out of a text. */
  redact(text: string): string;
}

export interface EndpointSettings extends Omit<AnthropicOptions, "apiKey" | "baseURL"> {
  readonly url: URL;
  /** Empty where the server needs none. */
  readonly apiKey: string;
  /** Every key that is configured: a server may know and quote another one. */
  readonly keys: readonly string[];
  /** The variable whose key is not this server's. */
  readonly withheld: string | undefined;
  /** The headers of the environment, which the SDK sends by itself. */
  readonly custom: Readonly<Record<string, string>>;
  /** The server is one of the environment, and gets them. */
  readonly isHome: boolean;
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not more than 0
 */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { url, withheld, limits, allowInsecure } = settings;
  const secrets = [...settings.keys, ...Object.values(settings.headers ?? {}), ...url.searchParams.values()];
  const custom = Object.values(settings.custom);
  requireEncryption(url, { secrets: settings.isHome ? [...secrets, ...custom] : secrets, allowInsecure });
  return {
    client: createClient(settings),
    url,
    limits: completeLimits(limits),
    defaults: {
      model: settings.model ?? "claude-sonnet-5-5",
      maxOutputTokens: settings.maxOutputTokens,
      thinking: settings.thinking,
      cacheControl: cacheControl(settings.cache),
      takesTemperature: url.hostname !== "api.anthropic.com",
    },
    advice:
      withheld &&
      `The key in ${withheld} belongs to another server and was not sent; pass \`apiKey\` beside \`baseURL\`.`,
    redact: redactor([...secrets, ...custom]),
  };
}

function createClient(settings: EndpointSettings): Anthropic {
  const { url, apiKey, headers, custom, isHome, betas = [], timeouts, limits, fetch } = settings;
  return new Anthropic({
    baseURL: url.origin + url.pathname,
    defaultQuery: Object.fromEntries(url.searchParams),
    // Also an empty one: without any the SDK would look for one by itself.
    apiKey,
    defaultHeaders: {
      // Null takes a header out again that the SDK has added.
      ...(isHome ? {} : Object.fromEntries(Object.keys(custom).map((name) => [name, null]))),
      ...(apiKey ? {} : { Authorization: null }),
      ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
      ...headers,
    },
    webhookKey: null,
    openTelemetry: false,
    maxRetries: 0,
    logLevel: "off",
    fetch: createFetch({ timeouts, limits, fetch }),
    // As long as a timer can be: the limits are those of `createFetch`.
    timeout: 2 ** 31 - 1,
  });
}

function cacheControl(cache: AnthropicOptions["cache"] = true): Anthropic.CacheControlEphemeral | undefined {
  if (cache === false) return undefined;
  return { type: "ephemeral", ...(cache === true ? {} : { ttl: cache }) };
}
