import { pageHtml, pagePolicy } from "../../page/page-html.ts";
import type { WebPage } from "../../page/serve/web-page.ts";

/**
 * The page: the conversations, and the log of one of them as it grows, with a box for messages and questions to answer.
 *
 * @param api where the server answers
 */
export function livePage(api: string): WebPage {
  return { html: pageHtml({ type: "live", api }), policy: pagePolicy("live") };
}
