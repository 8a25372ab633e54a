import { braveSearch, type SearchBackend, searxngSearch, tavilySearch, WebError } from "@cogency/toolbox/web";
import { checkAddress } from "../base/check-address.ts";
import { UsageError } from "../base/errors/usage-error.ts";

/**
 * The search service that the environment names: BRAVE_API_KEY, else TAVILY_API_KEY, else SEARXNG_URL.
 *
 * @throws UsageError if its value cannot be a key or an address
 */
export function searchBackend(environment: NodeJS.ProcessEnv): SearchBackend | undefined {
  const { BRAVE_API_KEY, TAVILY_API_KEY, SEARXNG_URL } = environment;
  if (BRAVE_API_KEY) return made("BRAVE_API_KEY", () => braveSearch({ apiKey: BRAVE_API_KEY }));
  if (TAVILY_API_KEY) return made("TAVILY_API_KEY", () => tavilySearch({ apiKey: TAVILY_API_KEY }));
  if (!SEARXNG_URL) return undefined;
  checkAddress("SEARXNG_URL", SEARXNG_URL, "http://localhost:8888");
  const { hostname } = new URL(SEARXNG_URL);
  // The user chose this host, so it may be in their own network. An IPv6 address needs no permission.
  const allow = hostname.startsWith("[") ? [] : [hostname];
  return made("SEARXNG_URL", () => searxngSearch({ url: SEARXNG_URL, allow }));
}

function made(source: string, make: () => SearchBackend): SearchBackend {
  try {
    return make();
  } catch (error) {
    if (error instanceof WebError) throw new UsageError(`${source}: ${error.message}`, { cause: error });
    throw error;
  }
}
