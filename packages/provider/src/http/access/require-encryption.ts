import { ProviderError } from "../../errors.ts";

export interface EncryptionDemand {
  /** Keys, headers and whatever else would be readable on the way; empty ones do not count. */
  secrets: readonly string[];
  /** The user's word that the network between is safe. */
  allowInsecure?: boolean | undefined;
  /** The option by which the user says so; `allowInsecure` by default. */
  option?: string | undefined;
}

/**
 * Refuses plain http to another machine with a key, which everybody on the way could read.
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

/** Whether an address leads to this machine and over no network. */
export function isLoopback({ hostname }: URL): boolean {
  // `URL` has brought other spellings, such as 127.1 or 0x7f000001, to these.
  return /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$|^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname);
}
