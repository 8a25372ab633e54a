import * as z from "zod";
import { checkOptionsOf } from "../../options.ts";
import type { SearchBackend } from "./search-backend.ts";
import { type SearchServiceOptions, searchService } from "./search-service.ts";

export interface BraveSearchOptions extends SearchServiceOptions {
  apiKey: string;
  /** `https://api.search.brave.com` by default. */
  url?: string | undefined;
}

/**
 * Brave Search, `GET /res/v1/web/search`.
 *
 * @throws WebError `option_invalid`, `url_invalid`, `scheme_refused`
 */
export function braveSearch(given: BraveSearchOptions): SearchBackend {
  checkOptionsOf("braveSearch", given);
  const { apiKey, url = "https://api.search.brave.com", ...options } = given;
  return searchService(
    {
      name: "brave",
      url,
      apiKey,
      request: (query, limit) => ({
        path: `/res/v1/web/search?${new URLSearchParams({ q: query, count: `${limit}`, text_decorations: "false" })}`,
        headers: { "x-subscription-token": apiKey },
      }),
      answer,
      results: ({ web }) =>
        (web?.results ?? []).map(({ title, url, description }) => ({ title, url, snippet: description })),
    },
    options,
  );
}

/** `web` is missing when nothing was found. */
const answer = () =>
  z.object({
    type: z.literal("search"),
    web: z
      .object({
        results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().default("") })),
      })
      .nullish(),
  });
