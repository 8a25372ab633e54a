import { apiKeys } from "@cogency/provider/http";
import { keepSecret } from "../../base/errors/redacted.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { MissingKeyError } from "./missing-key-error.ts";

/** The host that the keys of a provider belong to, and its default server. */
interface KeyHome {
  readonly variables: readonly string[];
  /** The keys belong to this host and to those below it. */
  readonly host: string;
  /** Its wire is spoken elsewhere under another name: without a key nothing answers. */
  readonly needsKey?: true;
}

const homes: Readonly<Record<string, KeyHome>> = {
  openai: { variables: ["OPENAI_API_KEY"], host: "api.openai.com" },
  anthropic: { variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"], host: "api.anthropic.com" },
  google: { variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"], host: "generativelanguage.googleapis.com" },
  openrouter: { variables: ["OPENROUTER_API_KEY"], host: "openrouter.ai", needsKey: true },
  deepseek: { variables: ["DEEPSEEK_API_KEY"], host: "api.deepseek.com", needsKey: true },
};

export interface KeySources {
  readonly environment?: NodeJS.ProcessEnv;
  /** The keys of the key file, by name. A variable of the same name is stronger. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Receives a message for each key that is not sent. */
  readonly tell?: (text: string) => void;
}

/**
 * Returns the keys for the server at `address`, which defaults to the provider's own server. A key is sent to the host
 * that it belongs to, and to another host only if `variable` names the key. No key is sent over the network unencrypted.
 *
 * @returns undefined for the provider's own server if there are no keys but those of the environment, which the provider finds
 * itself
 * @throws UsageError if the named variable is empty, if a server needs a key and has none, or if a key would leave this machine without encryption
 */
export function keysFor(
  provider: string,
  address: string | undefined,
  variable: string | undefined,
  { environment = process.env, kept = {}, tell = note }: KeySources = {},
): readonly string[] | undefined {
  const all = { ...kept, ...environment };
  const url = address === undefined ? undefined : new URL(address);
  const home = Object.hasOwn(homes, provider) ? homes[provider] : undefined;
  const isHome = url === undefined || (home !== undefined && `.${url.hostname}`.endsWith(`.${home.host}`));
  if (variable !== undefined) {
    const keys = namedKeys(variable, all);
    refuseInTheClear(url);
    keepSecret(keys);
    return keys;
  }
  const set = home?.variables.filter((name) => apiKeys(all, name).length > 0) ?? [];
  if (isHome) {
    if (set.length > 0) refuseInTheClear(url);
    return home?.variables.some((name) => apiKeys(environment, name).length > 0) ? undefined : keptKeys(set, kept);
  }
  const [name] = set;
  if (name !== undefined && home) {
    tell(
      `${name} is not sent to ${url.host}: it belongs to ${home.host}. If ${url.host} is to have it, add --api-key-env ${name}.`,
    );
  }
  if (!home?.needsKey) return [];
  throw new MissingKeyError(
    `${provider} needs a key for that address: name the environment variable that holds it with --api-key-env.`,
  );
}

/** The kept keys of a provider; undefined if there are none. What is no API key is sent in another way, and never kept. */
function keptKeys(names: readonly string[], kept: Readonly<Record<string, string>>): readonly string[] | undefined {
  const name = names.find((one) => one.endsWith("_API_KEY"));
  return name === undefined ? undefined : apiKeys(kept, name);
}

/** Does not repeat the name, which may be the key itself, typed by mistake. */
function namedKeys(variable: string, environment: NodeJS.ProcessEnv): string[] {
  const keys = apiKeys(environment, variable);
  if (keys.length > 0) return keys;
  throw new UsageError(
    "--api-key-env names no variable that is set. Give the name of the environment variable that holds the key, such as --api-key-env MY_SERVER_KEY; never the key itself.",
  );
}

function refuseInTheClear(url: URL | undefined): void {
  if (url?.protocol !== "http:" || isLoopback(url.hostname)) return;
  throw new UsageError(
    `The key would go to ${url.host} over plain http, where others can read it. Give the https address; for a server without encryption use a tunnel to this machine.`,
  );
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
