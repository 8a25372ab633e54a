import { isSecretName, isSecretValue, redactAssignments } from "./assignments.ts";
import { redactCommands } from "./commands.ts";
import { isBasicAuth, redactConfigFiles } from "./config-files.ts";
import { redactCredentials, redactHeader } from "./credentials.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { redactionMark } from "./redaction-mark.ts";
import { redactTokens } from "./tokens.ts";
import { redactYamlBlocks } from "./yaml-blocks.ts";

/**
 * The text with `redactionMark` in the place of what looks like a secret: keys and tokens of the services that mark
 * theirs, JSON Web Tokens, private keys in PEM and of PuTTY, `Authorization` and `Cookie` headers, passwords and signatures in addresses,
 * passwords of commands, in the files of npm, Docker, netrc, PostgreSQL and Kubernetes, in blocks of YAML and in XML, and what is assigned to a name such as `password`, `api_key` or `DB_SECRET`. Identifiers, hashes, UUIDs and references such as
 * `$TOKEN` stay. Takes time in proportion to the length, and changes nothing more when it is applied again.
 *
 * @param name the name of the property that holds the text, if one does: all of what `password` holds is a secret
 */
export function redactSecrets(text: string, name?: string): string {
  if (name !== undefined && isSecretName(name) && isSecretValue(name, text)) return redactionMark;
  if (name !== undefined && /^_?auth$/i.test(name) && isBasicAuth(text)) return redactionMark;
  const rest = name === undefined ? text : redactHeader(name, text);
  let redacted = onePass(rest);
  // A secret that was taken out can make a form of what stands around it: the next pass sees that.
  for (let before = rest, passes = 1; redacted !== before && passes < mostPasses; passes++) {
    before = redacted;
    redacted = onePass(before);
  }
  return redacted;
}

/** Two are enough for all that was ever seen. */
const mostPasses = 4;

function onePass(text: string): string {
  const credentials = redactCredentials(redactTokens(redactPrivateKeys(text)));
  return redactAssignments(redactYamlBlocks(redactConfigFiles(redactCommands(credentials))));
}
