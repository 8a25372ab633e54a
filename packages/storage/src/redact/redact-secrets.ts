import { isSecretName, isSecretValue, redactAssignments } from "./assignments.ts";
import { redactCredentials, redactHeader } from "./credentials.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { redactionMark } from "./redaction-mark.ts";
import { redactTokens } from "./tokens.ts";

/**
 * The text with `redactionMark` in the place of what looks like a secret: keys and tokens of the services that mark
 * theirs, JSON Web Tokens, private keys in PEM, `Authorization` and `Cookie` headers, passwords in addresses, and what is
 * assigned to a name such as `password`, `api_key` or `DB_SECRET`. Identifiers, hashes, UUIDs and references such as
 * `$TOKEN` stay. Takes time in proportion to the length, and changes nothing more when it is applied again.
 *
 * @param name the name of the property that holds the text, if one does: all of what `password` holds is a secret
 */
export function redactSecrets(text: string, name?: string): string {
  if (name !== undefined && isSecretName(name) && isSecretValue(name, text)) return redactionMark;
  const rest = name === undefined ? text : redactHeader(name, text);
  return redactAssignments(redactCredentials(redactTokens(redactPrivateKeys(rest))));
}
