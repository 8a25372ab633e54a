import { checkOption, having } from "@cogency/protocol/options";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../lazy-input.ts";
import parameters from "../parameters.json" with { type: "json" };
import { cleanResults } from "./search/clean-results.ts";
import type { SearchBackend, SearchResult } from "./search/search-backend.ts";
import { WebError } from "./web-error.ts";

/** `search`: searches the web with the service that the host configured. Without one, every call fails and says so. */
export function searchTool(backend?: SearchBackend): Tool<"search"> {
  checkOption("searchTool", "backend", backend, having("a search service, such as braveSearch makes it", "search"));
  return defineTool({
    name: "search",
    description: "Search the web. Returns titles, addresses and snippets; scrape gives the text of a page.",
    input: searchInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    brings: () => [{ holds: "untrusted", source: "search" }],
    reachesOut: () => true,
    async execute({ query, limit }, { signal, progress }): Promise<{ results: SearchResult[] }> {
      if (!backend) throw notConfigured();
      const words = query.trim();
      if (words === "") throw new WebError("query_empty", query, "The query is blank. Say what to look for.");
      progress({ query: words, service: backend.name });
      return { results: cleanResults(await backend.search(words, { limit, signal })).slice(0, limit) };
    },
  });
}

export const searchInput = lazyInput(parameters.search, () =>
  z.object({
    query: z.string().min(1).max(400).describe("what to look for, in a few words"),
    limit: z.int().min(1).max(20).default(5).describe("the most results to give"),
  }),
);

function notConfigured(): WebError {
  return new WebError(
    "no_search_backend",
    "",
    "There is no web search here: the host of this agent has configured no search service. If you know an address, use scrape with it; otherwise tell the user that a search service must be configured.",
  );
}
