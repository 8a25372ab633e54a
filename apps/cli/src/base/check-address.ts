import { UsageError } from "./errors/usage-error.ts";

/**
 * Checks the address of a server that the user chose. Errors do not repeat it, because it may hold a password.
 *
 * @param source the option or the variable that it comes from
 * @throws UsageError
 */
export function checkAddress(source: string, address: string, example: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new UsageError(`${source} is not an HTTP address. Give the whole of it, such as ${example}.`);
  }
  if (url.username === "" && url.password === "") return;
  throw new UsageError(`${source} must not hold a user name or a password.`);
}
