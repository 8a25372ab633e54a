import Anthropic from "@anthropic-ai/sdk";
import { longestTimer } from "@cogency/async";
import { type EndpointSettings, type HttpEndpoint, httpEndpoint } from "@cogency/provider/http";
import type { AnthropicOptions } from "./options.ts";

/** One server and one key, with the settings that the wire needs. */
export interface Endpoint extends HttpEndpoint {
  readonly client: Anthropic;
  readonly defaults: RequestDefaults;
}

/** The settings that a request is built with. */
export interface RequestDefaults {
  /** For requests that name no model. */
  model: string;
  /** Defaults to 32,000 plus the budget for thinking. */
  maxOutputTokens?: number | undefined;
  thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** Marks the end of each part that the server should cache. Without it nothing is cached. */
  cacheControl?: Anthropic.CacheControlEphemeral | undefined;
  /** Anthropic's own API has had no `temperature` since its version 2026-10-21 and refuses it; others take it. */
  takesTemperature: boolean;
}

interface Settings extends EndpointSettings, Omit<AnthropicOptions, "apiKey" | "baseURL"> {
  /** Empty if the server needs none. */
  apiKey: string;
  /** The headers in ANTHROPIC_CUSTOM_HEADERS, which the SDK sends by itself, to any server. */
  custom: Readonly<Record<string, string>>;
  /** The server is Anthropic's or that of ANTHROPIC_BASE_URL, and receives those headers. */
  isHome: boolean;
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: Settings): Endpoint {
  const { url, headers, custom, isHome } = settings;
  const sent = isHome ? { ...custom, ...headers } : headers;
  const endpoint = httpEndpoint({ ...settings, headers: sent, secrets: Object.values(custom) });
  return {
    ...endpoint,
    client: createClient(settings, endpoint),
    defaults: {
      model: settings.model ?? "claude-sonnet-5-5",
      maxOutputTokens: settings.maxOutputTokens,
      thinking: settings.thinking,
      cacheControl: cacheControlOf(settings.cache),
      takesTemperature: url.hostname !== "api.anthropic.com",
    },
  };
}

function createClient({ apiKey, headers, custom, isHome, betas = [] }: Settings, { url, fetch }: HttpEndpoint) {
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
    fetch,
    // The longest possible timer, because `createFetch` applies the time limits.
    timeout: longestTimer,
  });
}

function cacheControlOf(cache: AnthropicOptions["cache"] = true): Anthropic.CacheControlEphemeral | undefined {
  if (cache === false) return undefined;
  return { type: "ephemeral", ...(cache === true ? {} : { ttl: cache }) };
}
