import { redactionMark, redactSecrets } from "@cogency/storage";

/**
 * A message of somebody else's code without what looks like a secret, and without what the environment holds under a name
 * that speaks of one: a provider may quote the key that it was given.
 */
export function redacted(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    isSecret.test(name) && value !== undefined && value.trim().length >= leastLength ? [value.trim()] : [],
  );
  secrets.push(...given);
  // A long one may hold a shorter one.
  const ordered = secrets.toSorted((one, other) => other.length - one.length);
  return redactSecrets(ordered.reduce((rest, secret) => rest.replaceAll(secret, redactionMark), text));
}

/** From now on these are secrets as well, whatever the variable is called that they came from. */
export function keepSecret(values: readonly string[]): void {
  for (const value of values) given.add(value);
}

const given = new Set<string>();
const isSecret = /key|token|secret|passw|credential/i;

/** What is shorter stands in too many words. */
const leastLength = 8;
