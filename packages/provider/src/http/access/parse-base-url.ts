import { ProviderError } from "../../errors.ts";

/**
 * The server's address. What is wrong with it is said without repeating it: it may hold a password.
 *
 * @param name what the user has set to it: an option by default, or an environment variable
 * @throws ProviderError `bad_request` if it is no HTTP address, or holds credentials, which `fetch` refuses
 */
export function parseBaseURL(baseURL: string, name = "baseURL"): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ProviderError(
      "bad_request",
      `\`${name}\` is not an HTTP address. Give the whole of it, such as http://localhost:11434/v1.`,
    );
  }
  if (url.username === "" && url.password === "") return url;
  throw new ProviderError("bad_request", `\`${name}\` must not hold credentials; use \`apiKey\` or \`headers\`.`);
}
