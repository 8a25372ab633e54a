import { apiKeys } from "./api-keys.ts";

export interface KeySources {
  /** Where a key would be sent. */
  url: URL;
  /** Given together with the address, such as by an option `apiKey`. If it is there, the environment is not asked. */
  given?: string | readonly string[] | undefined;
  /** Such as `process.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Variables that hold keys, as {@link apiKeys} reads them. The first that holds one counts. */
  variables: readonly string[];
  /** Addresses of the servers to which keys of these variables belong. */
  home: readonly (string | undefined)[];
}

export interface KeysFound {
  /** May be sent to `url`. Empty ones are left out. */
  readonly keys: readonly string[];
  /** The variable that has a key, which is not used because `url` is no address of its servers. */
  readonly withheld?: string;
}

/**
 * The keys that may be sent to an address: those that were given together with it, else those of the environment, which
 * go to the servers they belong to and to no other.
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

/** Whether an address has the origin of one of these; those that are no addresses do not count. */
export function hasOriginOf({ origin }: URL, addresses: readonly (string | undefined)[]): boolean {
  return addresses.some((address) => address && URL.canParse(address) && new URL(address).origin === origin);
}
