import * as z from "zod";
import { checkOptionsOf } from "../../options.ts";
import type { SearchBackend } from "./search-backend.ts";
import { type SearchServiceOptions, searchService } from "./search-service.ts";

export interface SearxngSearchOptions extends SearchServiceOptions {
  /** The address of the instance, such as `http://localhost:8888`. Its settings must name `json` among `search.formats`. */
  url: string;
}

/**
 * A SearXNG instance, `GET /search?format=json`.
 *
 * @throws WebError `url_invalid`, `scheme_refused`
 */
export function searxngSearch(given: SearxngSearchOptions): SearchBackend {
  checkOptionsOf("searxngSearch", given);
  const { url, ...options } = given;
  return searchService(
    {
      name: "searxng",
      url,
      request: (query) => ({ path: `/search?${new URLSearchParams({ q: query, format: "json" })}` }),
      answer,
      results: ({ results }) => results.map(({ title, url, content }) => ({ title, url, snippet: content ?? "" })),
    },
    options,
  );
}

const answer = () =>
  z.object({
    results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
  });
