import { longestTimer } from "@cogency/async";
import { completeLimits, createFetch, redactor, requireEncryption } from "@cogency/provider/http";
import OpenAI from "openai";
import type { OpenAIOptions } from "../options.ts";
import { withoutCustomHeaders } from "./custom-headers.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointSettings
  extends Pick<Endpoint, "url" | "apiKey" | "name" | "model" | "flavor" | "advice">,
    Pick<OpenAIOptions, "headers" | "organization" | "fetch" | "timeouts" | "limits" | "allowInsecure"> {
  /** Every configured key, including those of other endpoints: a server may know and quote them. */
  readonly keys?: readonly string[];
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { url, apiKey, name, model, flavor, advice, headers = {}, timeouts = {}, keys = [] } = settings;
  const secrets = [apiKey, ...keys, ...Object.values(headers), ...queryValues(url)];
  requireEncryption(url, { secrets, allowInsecure: settings.allowInsecure });
  return {
    client: createClient(settings),
    url,
    apiKey,
    headers,
    timeouts,
    limits: completeLimits(settings.limits),
    name,
    model,
    flavor,
    advice,
    redact: redactor(secrets),
  };
}

function createClient({ url, apiKey, headers, organization, fetch, timeouts, limits }: EndpointSettings): OpenAI {
  return new OpenAI({
    baseURL: url.href,
    // The SDK requires a key; without one, the header is removed below.
    apiKey: apiKey || "none",
    defaultHeaders: {
      ...withoutCustomHeaders(),
      authorization: apiKey ? `Bearer ${apiKey}` : null,
      ...inLowerCase(headers),
    },
    adminAPIKey: null,
    organization: organization ?? null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: createFetch({ timeouts, limits, fetch }),
    // The longest possible timer, because `createFetch` applies the time limits.
    timeout: longestTimer,
  });
}

/** In one spelling, because a header in two spellings would be sent with both values. */
function inLowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Encoded and decoded, because a server may quote either. */
function queryValues(url: URL): string[] {
  const asSent = url.search.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...url.searchParams.values(), ...asSent];
}
