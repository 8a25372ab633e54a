import { isSecretName, isSecretValue, redactAssignments } from "./assignments.ts";
import { redactCommands } from "./commands.ts";
import { isBasicAuth, redactConfigFiles } from "./config-files.ts";
import { redactCredentials, redactHeader } from "./credentials.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { redactionMark } from "./redaction-mark.ts";
import { redactTokens } from "./tokens.ts";
import { redactYamlBlocks } from "./yaml-blocks.ts";

/**
 * Replaces text that looks like a secret by `redactionMark`: keys and tokens with a known prefix, JSON Web Tokens,
 * private keys in PEM and of PuTTY, `Authorization` and `Cookie` headers, passwords and signatures in URLs, passwords
 * on command lines and in the files of npm, Docker, netrc, PostgreSQL and Kubernetes, in YAML blocks and XML, and
 * values of names such as `password`, `api_key` or `DB_SECRET`. Identifiers, hashes, UUIDs and references such as
 * `$TOKEN` stay. Runs in linear time and is idempotent.
 *
 * @param name the name of the property that holds the text, if there is one; the whole value of `password` is a secret
 * @example redactSecrets("API_KEY=abc123") // "API_KEY=[redacted]"
 */
export function redactSecrets(text: string, name?: string): string {
  if (name !== undefined && isSecretName(name) && isSecretValue(name, text)) return redactionMark;
  if (name !== undefined && /^_?auth$/i.test(name) && isBasicAuth(text)) return redactionMark;
  const rest = name === undefined ? text : redactHeader(name, text);
  let redacted = onePass(rest);
  // Removing a secret can leave a text that matches another pattern: the next pass finds it.
  for (let before = rest, passes = 1; redacted !== before && passes < mostPasses; passes++) {
    before = redacted;
    redacted = onePass(before);
  }
  return redacted;
}

/** Two passes were enough for every known text. */
const mostPasses = 4;

function onePass(text: string): string {
  const credentials = redactCredentials(redactTokens(redactPrivateKeys(text)));
  return redactAssignments(redactYamlBlocks(redactConfigFiles(redactCommands(credentials))));
}
