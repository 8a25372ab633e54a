import { ProviderError } from "../../errors.ts";
import { apiKeys } from "./api-keys.ts";

export interface KeySources {
  /** The address that a key would be sent to. */
  url: URL;
  /** The keys given together with the address, such as by an option `apiKey`. If present, the environment is ignored. */
  given?: string | readonly string[] | undefined;
  /** Such as `process.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Variables that hold keys, as {@link apiKeys} reads them. The first that holds a key is used. */
  variables: readonly string[];
  /** Addresses of the servers that the keys of these variables belong to. */
  home: readonly (string | undefined)[];
}

export interface KeysFound {
  /** The keys that may be sent to `url`. Empty ones are left out. */
  readonly keys: readonly string[];
  /** The variable that holds a key which is not used, because `url` is not an address of its servers. */
  readonly withheld?: string;
}

/**
 * The keys that may be sent to an address: those that were given together with it, else those of the environment. Keys of
 * the environment are sent only to the servers that they belong to.
 */
export function keysFor({ url, given, environment, variables, home }: KeySources): KeysFound {
  if (given !== undefined) return { keys: [given].flat().filter((key) => key.trim() !== "") };
  for (const variable of variables) {
    const keys = apiKeys(environment, variable);
    if (keys.length === 0) continue;
    return hasOriginOf(url, home) ? { keys } : { keys: [], withheld: variable };
  }
  return { keys: [] };
}

/** What to add to the refusal of a server that was sent no key; undefined if there is one to send. */
export function keyAdvice({ keys, withheld }: KeysFound): string | undefined {
  if (keys.length > 0) return undefined;
  if (withheld === undefined) return "No key was sent; pass `apiKey`.";
  return `The key in ${withheld} belongs to another server and was not sent; pass \`apiKey\` beside \`baseURL\`.`;
}

/** The error where a service has no key. @param variable that the key may stand in */
export function missingKey(service: string, variable: string): ProviderError {
  const message = `No ${service} API key. Set the environment variable ${variable} or pass \`apiKey\`; for another server pass its \`baseURL\`.`;
  return new ProviderError("missing_key", message);
}

/** Whether an address has the origin of one of these. Entries that are not addresses are ignored. */
export function hasOriginOf({ origin }: URL, addresses: readonly (string | undefined)[]): boolean {
  return addresses.some((address) => address && URL.canParse(address) && new URL(address).origin === origin);
}
