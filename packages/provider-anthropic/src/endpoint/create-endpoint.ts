import Anthropic from "@anthropic-ai/sdk";
import { longestTimer } from "@cogency/async";
import { completeLimits, createFetch, redactor, requireEncryption } from "@cogency/provider/http";
import type { AnthropicOptions } from "../options.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointSettings extends Omit<AnthropicOptions, "apiKey" | "baseURL"> {
  readonly url: URL;
  /** Empty if the server needs none. */
  readonly apiKey: string;
  /** Every configured key, including those of other endpoints: a server may know and quote them. */
  readonly keys: readonly string[];
  /** The environment variable whose key belongs to another server and is not sent. */
  readonly advice: string | undefined;
  /** The headers in ANTHROPIC_CUSTOM_HEADERS, which the SDK sends by itself. */
  readonly custom: Readonly<Record<string, string>>;
  /** The server is Anthropic's or that of ANTHROPIC_BASE_URL, and receives those headers. */
  readonly isHome: boolean;
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { url, advice, limits, allowInsecure } = settings;
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
      cacheControl: cacheControlOf(settings.cache),
      takesTemperature: url.hostname !== "api.anthropic.com",
    },
    advice,
    redact: redactor([...secrets, ...custom]),
  };
}

function createClient(settings: EndpointSettings): Anthropic {
  const { url, apiKey, headers, custom, isHome, betas = [], timeouts, limits, fetch } = settings;
  return new Anthropic({
    baseURL: url.origin + url.pathname,
    defaultQuery: Object.fromEntries(url.searchParams),
    // Even if empty: without a key the SDK would look for one in the environment.
    apiKey,
    defaultHeaders: {
      // Null removes a header that the SDK adds.
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
    // The longest possible timer, because `createFetch` applies the time limits.
    timeout: longestTimer,
  });
}

function cacheControlOf(cache: AnthropicOptions["cache"] = true): Anthropic.CacheControlEphemeral | undefined {
  if (cache === false) return undefined;
  return { type: "ephemeral", ...(cache === true ? {} : { ttl: cache }) };
}
