import { ProviderError } from "../../errors.ts";

/**
 * Parses the server's address. Errors do not repeat the address, because it may hold a password.
 *
 * @param name the option or the environment variable that holds the address; defaults to the option `baseURL`
 * @throws ProviderError `bad_request` if it is not an HTTP address, or holds credentials, which `fetch` refuses
 */
export function parseBaseURL(baseURL: string, name = "baseURL"): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ProviderError(
      "bad_request",
      `\`${name}\` is not an HTTP address. Give the whole address, such as http://localhost:11434/v1.`,
    );
  }
  if (url.username === "" && url.password === "") return url;
  throw new ProviderError("bad_request", `\`${name}\` must not hold credentials; use \`apiKey\` or \`headers\`.`);
}
