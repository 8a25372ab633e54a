import { ProviderError } from "../../errors.ts";
import { hasOriginOf, keyAdvice, keysFor } from "./keys-for.ts";
import { parseBaseURL } from "./parse-base-url.ts";

export interface ServerNames {
  /** The service, for messages: `Anthropic`. */
  service: string;
  /** The address of its own server. */
  address: string;
  /** Such as `process.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The environment variable that holds another address, to which the keys belong too. */
  addressVariable: string;
  /** The environment variables that hold keys, as {@link keysFor} takes them. */
  keyVariables: readonly string[];
}

export interface FoundServer {
  readonly url: URL;
  readonly keys: readonly string[];
  /** See {@link keyAdvice}. */
  readonly advice: string | undefined;
  /** The address is that of the service, or that of the environment. */
  readonly isHome: boolean;
}

/**
 * The server of a provider and the keys for it: those of the options, else those of the environment.
 *
 * @throws ProviderError `missing_key` if the service's own server has no key; `bad_request` for an address that is not an HTTP
 * address or holds credentials
 */
export function findServer(
  { service, address, environment, addressVariable, keyVariables }: ServerNames,
  { baseURL, apiKey }: { baseURL?: string | undefined; apiKey?: string | readonly string[] | undefined },
): FoundServer {
  const elsewhere = environment[addressVariable];
  const url = baseURL === undefined ? parseBaseURL(elsewhere || address, addressVariable) : parseBaseURL(baseURL);
  const home = [address, elsewhere];
  const found = keysFor({ url, given: apiKey, environment, variables: keyVariables, home });
  const keys = found.keys.map((key) => key.trim());
  if (url.hostname === new URL(address).hostname && keys.length === 0) {
    const message = `No ${service} API key. Set the environment variable ${keyVariables[0]} or pass \`apiKey\`; for another server pass its \`baseURL\`.`;
    throw new ProviderError("missing_key", message);
  }
  return { url, keys, advice: keyAdvice(found), isHome: hasOriginOf(url, home) };
}
