import * as z from "zod";
import { checkOptionsOf } from "../../options.ts";
import type { SearchBackend } from "./search-backend.ts";
import { type SearchServiceOptions, searchService } from "./search-service.ts";

export interface TavilySearchOptions extends SearchServiceOptions {
  apiKey: string;
  /** `https://api.tavily.com` by default. */
  url?: string | undefined;
}

/**
 * Tavily, `POST /search` with its basic depth.
 *
 * @throws WebError `option_invalid`, `url_invalid`, `scheme_refused`
 */
export function tavilySearch(given: TavilySearchOptions): SearchBackend {
  checkOptionsOf("tavilySearch", given);
  const { apiKey, url = "https://api.tavily.com", ...options } = given;
  return searchService(
    {
      name: "tavily",
      url,
      apiKey,
      request: (query, limit) => ({
        path: "/search",
        headers: { authorization: `Bearer ${apiKey}` },
        body: { query, max_results: limit, search_depth: "basic" },
      }),
      answer,
      results: ({ results }) => results.map(({ title, url, content }) => ({ title, url, snippet: content })),
    },
    options,
  );
}

const answer = () =>
  z.object({
    results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string() })),
  });
