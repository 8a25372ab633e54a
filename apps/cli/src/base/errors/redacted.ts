import { redactionMark, redactSecrets } from "@cogency/storage";

/**
 * Removes secrets from a message: texts that look like one, and the values of environment variables with a name such as
 * `…_KEY`. A provider may quote the key that it received.
 */
export function redacted(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    isSecret.test(name) && value !== undefined && value.trim().length >= leastLength ? [value.trim()] : [],
  );
  secrets.push(...given);
  // A longer secret may contain a shorter one, so it goes first.
  const ordered = secrets.toSorted((one, other) => other.length - one.length);
  return redactSecrets(ordered.reduce((rest, secret) => rest.replaceAll(secret, redactionMark), text));
}

/** Makes `redacted` remove these values from now on, whatever their variables are called. */
export function keepSecret(values: readonly string[]): void {
  for (const value of values) given.add(value);
}

const given = new Set<string>();
const isSecret = /key|token|secret|passw|credential/i;

/** In characters. Shorter values occur in ordinary words. */
const leastLength = 8;
