import { ProviderError } from "../../errors.ts";

export interface EncryptionDemand {
  /** Keys, headers and other values that would be readable on the way. Empty ones are ignored. */
  secrets: readonly string[];
  /** The user declares that the network is safe. */
  allowInsecure?: boolean | undefined;
  /** The name of that option, for the message. Defaults to `allowInsecure`. */
  option?: string | undefined;
}

/**
 * Refuses to send a key over plain http to another machine, because everybody on the way could read it.
 *
 * @throws ProviderError `insecure`
 */
export function requireEncryption(
  url: URL,
  { secrets, allowInsecure, option = "allowInsecure" }: EncryptionDemand,
): void {
  if (url.protocol === "https:" || allowInsecure || isLoopback(url)) return;
  if (secrets.every((secret) => secret.trim() === "")) return;
  throw new ProviderError(
    "insecure",
    `${url.host} is another machine, and plain http would send it the key, headers or query readable for everybody on the way. Use https, or set \`${option}\` if the network is yours.`,
  );
}

/** Whether an address is this machine, reached without a network. */
export function isLoopback({ hostname }: URL): boolean {
  // `URL` normalizes other spellings, such as 127.1 or 0x7f000001, to these.
  return /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$|^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname);
}
