import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../lazy-input.ts";
import parameters from "../parameters.json" with { type: "json" };
import { type AddressGuard, hostOf } from "./address/address-guard.ts";
import { checkUrl } from "./address/check-url.ts";
import { readApart } from "./page/read-apart.ts";
import { type TextPage, textPage } from "./page/text-page.ts";
import { type WebClient, type WebOptions, type WebPage, webClientOf } from "./web-client.ts";

/** What `scrape` returns: one page of the text, and where the next one begins. */
export interface Scraped extends TextPage {
  /** The address of the text after all redirects. */
  url: string;
  title?: string;
}

/**
 * `scrape`: returns the readable text at a URL. Its calls ask unless the host's policy names the tool, because a URL can carry
 * what the model knows to the server.
 *
 * @throws WebError `option_invalid`
 */
export function scrapeTool(web: WebClient | WebOptions = {}): Tool<"scrape"> {
  const client = isClient(web) ? web : webClientOf("scrapeTool", web);
  return defineTool({
    name: "scrape",
    description:
      "Get the readable text of a public web page as Markdown, in pages. JSON and plain text come as they are.",
    input: scrapeInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    approval: "ask",
    // In punycode, as it is requested, so that no letter looks like another.
    resource: ({ url }) => `host:${hostOf(checkUrl(url, anywhere))}`,
    brings: ({ url }) => [{ holds: "untrusted", source: `scrape ${shownPlace(url)}` }],
    reachesOut: () => true,
    async execute({ url, from }, { signal, progress }): Promise<Scraped> {
      const page = await client.get(url, { signal, onRequest: (asked) => progress({ url: asked }) });
      const { text, ...title } = await textOf(page, signal);
      return { url: page.url, ...title, ...textPage(text, from, page.url) };
    },
  });
}

function isClient(web: WebClient | WebOptions): web is WebClient {
  return typeof (web as Partial<WebClient> | null)?.get === "function";
}

export const scrapeInput = lazyInput(parameters.scrape, () =>
  z.object({
    url: z
      .string()
      .min(1)
      .max(4000)
      // Said for those who hold a model to it. The check itself is that of a browser, which forgives more.
      .meta({ format: "uri", pattern: "^https?://" })
      .describe('the whole address, such as "https://example.com/page"'),
    from: z.int().min(0).default(0).describe("character to begin at: the `next` of the page before"),
  }),
);

/** An invalid URL is refused before a person is asked. The address is checked when the connection is made. */
const anywhere: AddressGuard = { admitsHost: () => true, admitsAddress: () => true };

/** The address of a page without its query, which may hold private content. */
function shownPlace(text: string): string {
  if (!URL.canParse(text)) return "a page";
  const { origin, pathname } = new URL(text);
  const place = `${origin}${pathname}`;
  return place.length > 200 ? `${place.slice(0, 200)}…` : place;
}

async function textOf({ type, text, url }: WebPage, signal: AbortSignal): Promise<{ title?: string; text: string }> {
  return type === "html" ? readApart(text, url, { signal }) : { text };
}
