import Turndown from "turndown";
import type { PageElement } from "./page-dom.ts";

/** Converts an element to Markdown. Pictures become their description. */
export function pageToMarkdown(element: PageElement): string {
  const turndown = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  turndown.addRule("picture", {
    filter: "img",
    replacement: (_content, node) => oneLine(node.getAttribute("alt") ?? ""),
  });
  turndown.addRule("cell", { filter: ["td", "th"], replacement: (content) => `| ${oneLine(content)} ` });
  turndown.addRule("row", { filter: "tr", replacement: (content) => `${content}|\n` });
  return turndown.turndown(element as never).trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
