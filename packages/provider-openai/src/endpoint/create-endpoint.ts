import { completeLimits, createFetch, redactor, requireEncryption } from "@cogency/provider/http";
import OpenAI from "openai";
import type { OpenAIOptions } from "../options.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointSettings
  extends Pick<Endpoint, "url" | "apiKey" | "name" | "model" | "flavor" | "advice">,
    Pick<OpenAIOptions, "headers" | "organization" | "fetch" | "timeouts" | "limits" | "allowInsecure"> {
  /** Every key that is configured, also those of other endpoints: a server may know and quote them. */
  readonly keys?: readonly string[];
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not more than 0
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
    // The SDK insists on a key; without one the header is taken out again.
    apiKey: apiKey || "none",
    defaultHeaders: {
      ...withoutEnvironment(),
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
    // The longest that a timer can be: the limits are those of `createFetch`.
    timeout: 2 ** 31 - 1,
  });
}

/** The SDK adds the headers of this variable to every request, whoever it goes to; nobody asked this package to. */
function withoutEnvironment(): Record<string, null> {
  const lines = (globalThis.process?.env.OPENAI_CUSTOM_HEADERS ?? "").split("\n");
  const names = lines.filter((line) => line.includes(":")).map((line) => line.slice(0, line.indexOf(":")).trim());
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), null]));
}

/** The same header under two spellings would be sent with both values. */
function inLowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A server may quote the query as it was sent, or as it was meant. */
function queryValues(url: URL): string[] {
  const asSent = url.search.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...url.searchParams.values(), ...asSent];
}
