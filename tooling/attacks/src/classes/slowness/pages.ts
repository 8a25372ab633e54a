import { scrapeTool } from "@cogency/toolbox/web";
import { createExecutor, createRegistry } from "@cogency/tools";
import type { Attack } from "../../harness/attack.ts";
import { slow } from "./slow.ts";

/** Pages of HTML. Another process reads them, and is killed at its time limit. */
type Page = [name: string, html: () => string];

export const pages: readonly Page[] = [
  ["elements in elements", () => "<div>".repeat(200_000)],
  ["formats that never close", () => "<b><i><u>".repeat(60_000)],
  ["formats that close crosswise", () => "<b><p></b></p><i><div></i></div>".repeat(40_000)],
  ["links in links", () => "<a href=x>".repeat(200_000)],
  ["an open comment", () => "<!--".repeat(400_000)],
  ["an open tag", () => "<".repeat(1_900_000)],
  ["an open attribute", () => `<p a="${"x".repeat(1_900_000)}`],
  [
    "attributes without number",
    () => `<p ${Array.from({ length: 150_000 }, (_, index) => `a${index}`).join(" ")}>text</p>`,
  ],
  ["a style without end", () => `<p style="${"display:none;".repeat(140_000)}">text</p>`],
  ["a style of spaces", () => `<p style="display${" ".repeat(1_900_000)}:none">text</p>`],
  ["entities", () => "&amp;".repeat(380_000)],
  ["entities that do not end", () => "&a".repeat(900_000)],
  ["a table of tables", () => "<table><tr><td>".repeat(120_000)],
  ["a cell over all columns", () => `<table>${"<tr><td colspan=1000000 rowspan=1000000>x".repeat(20_000)}</table>`],
  ["lists in lists", () => "<ul><li>".repeat(220_000)],
  ["quotes in quotes", () => "<blockquote>x".repeat(140_000)],
  ["text for Markdown to escape", () => `<p>${"*_[]()`#+-.!\\".repeat(140_000)}</p>`],
  ["white space in a row", () => `<p>${" \n\t".repeat(600_000)}x</p>`],
  ["backticks in code", () => `<code>${"` ``".repeat(450_000)}</code>`],
  ["a title without end", () => `<title>${"x".repeat(1_900_000)}`],
  [
    "a picture of data",
    () => `<img alt="${"x[]".repeat(300_000)}" src="data:image/png;base64,${"A".repeat(900_000)}">`,
  ],
  ["numbers of letters", () => "&#x41;".repeat(310_000)],
];

export function pageAttack([name, html]: Page): Attack {
  return {
    name: `page: ${name}`,
    async run(place) {
      const text = html();
      const port = await place.serve((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end(text),
      );
      const executor = createExecutor({
        registry: createRegistry([scrapeTool({ allow: ["127.0.0.1"] })]),
        approval: { policy: () => "allow" },
      });
      return slow(() =>
        executor.run([{ name: "scrape", args: { url: `http://127.0.0.1:${port}/` } }], { conversation: "c" }),
      );
    },
  };
}
