import { redactor } from "../access/redactor.ts";
import { requireEncryption } from "../access/require-encryption.ts";
import { createFetch } from "../fetch/create-fetch.ts";
import { type CompleteLimits, completeLimits } from "../limits.ts";
import type { ConnectionOptions } from "../option-kinds.ts";

/** One server and one key. */
export interface HttpEndpoint {
  /** The address below which the server's paths begin. */
  readonly url: URL;
  readonly limits: CompleteLimits;
  /** Added to the message of an error if the server does not accept the key, or if there is none. */
  readonly advice?: string | undefined;
  /** With the limits of time and size; see {@link createFetch}. */
  readonly fetch: typeof globalThis.fetch;
  /** Removes every configured key, header and query value from a text. */
  redact(text: string): string;
}

export interface EndpointSettings extends ConnectionOptions {
  url: URL;
  /** Every configured key, including those of other endpoints: a server may know and quote them. */
  keys: readonly string[];
  advice?: string | undefined;
  /** Further values that no text may hold, although this server does not receive them. */
  secrets?: readonly string[] | undefined;
}

/**
 * @throws ProviderError `insecure` if a key, a header or a query value would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function httpEndpoint(settings: EndpointSettings): HttpEndpoint {
  const { url, keys, advice, headers = {}, secrets = [], allowInsecure, timeouts, limits, fetch } = settings;
  const sent = [...keys, ...Object.values(headers), ...queryValues(url)];
  requireEncryption(url, { secrets: sent, allowInsecure });
  return {
    url,
    limits: completeLimits(limits),
    advice,
    fetch: createFetch({ timeouts, limits, fetch }),
    redact: redactor([...sent, ...secrets]),
  };
}

/** Encoded and decoded, because a server may quote either. */
function queryValues({ search, searchParams }: URL): string[] {
  return [...searchParams.values(), ...search.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1))];
}
