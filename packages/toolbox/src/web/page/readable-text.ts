import { Readability } from "@mozilla/readability";
import { nestingOf } from "./nesting.ts";
import { type PageDocument, type PageElement, parsePage } from "./page-dom.ts";
import { pageToMarkdown } from "./page-to-markdown.ts";
import { stripHidden } from "./strip-hidden.ts";

export interface ReadableText {
  title?: string;
  /** Markdown. */
  text: string;
}

/** Deeper than ordinary pages. The work of the libraries grows at least with the square of the depth. */
const deepestNesting = 256;
/** Tags and entities. The parser makes a node of each, and the other libraries visit all nodes several times. */
const mostMarkup = 250_000;
/** In characters. A text can exceed it because links grow when they become absolute. */
const mostText = 4_000_000;
const longestLink = 2000;

/**
 * Returns the text that a reader of a page sees, as Markdown with absolute links: its article if it has one, else all of it.
 * It has no time limit; `readApart` adds one.
 *
 * @throws RangeError if the page nests too deeply, or has too much markup or text
 */
export function readableText(html: string, url: string): ReadableText {
  if (countOf(/[<&]/g, html) > mostMarkup) throw new RangeError(`it has more than ${mostMarkup} tags and entities`);
  if (nestingOf(html, deepestNesting) > deepestNesting)
    throw new RangeError(`its elements nest more than ${deepestNesting} deep`);
  const source = html.replace(invisibleCharacters, "").replace(longSpaces, shortened);
  const { document, title } = visiblePage(source, url);
  // `articleOf` changes the document, so the whole page is parsed again. Invisible characters may also be written as entities.
  const text = (articleOf(document) || pageToMarkdown(visiblePage(source, url).document.body)).replace(
    invisibleCharacters,
    "",
  );
  if (text.length > mostText) throw new RangeError(`its text has more than ${mostText} characters`);
  return { ...(title && { title }), text };
}

function countOf(pattern: RegExp, text: string): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}

/** Characters that no font shows, which can hold text for models only: tags, variation selectors, characters without width. */
const invisibleCharacters = /[\u{e0000}-\u{e007f}\u200b\u2060-\u2064\ufeff]|\p{Variation_Selector}(?<!\ufe0f)/gu;

/** Long runs of white space. The libraries take quadratic time on them. */
const longSpaces = /\s{64,}/g;

function shortened(spaces: string): string {
  return spaces.includes("\n") ? "\n" : " ";
}

/** The document without hidden elements, and its title. */
function visiblePage(html: string, url: string): { document: PageDocument; title: string } {
  const document = parsePage(html);
  const { body } = document;
  const title = (body.querySelector("title")?.textContent ?? "")
    .replace(invisibleCharacters, "")
    .replace(/\s+/g, " ")
    .trim();
  const base = baseOf(body.querySelector("base[href]")?.getAttribute("href"), url);
  stripHidden(body);
  resolveLinks(body, base);
  return { document, title: title.slice(0, 300).toWellFormed() };
}

function baseOf(href: string | null | undefined, url: string): string {
  return href && URL.canParse(href, url) ? new URL(href, url).href : url;
}

function resolveLinks(root: PageElement, base: string): void {
  for (const link of root.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const target = URL.canParse(href, base) ? new URL(href, base) : undefined;
    if (target && linkedSchemes.has(target.protocol) && target.href.length <= longestLink)
      link.setAttribute("href", target.href);
    else link.removeAttribute("href");
  }
}

const linkedSchemes = new Set(["http:", "https:", "mailto:"]);

function articleOf(document: PageDocument): string | undefined {
  // If the library fails, the caller returns the whole page.
  try {
    const article = new Readability<PageElement>(document as never, { serializer: (node) => node as never }).parse();
    return article?.content ? pageToMarkdown(article.content) : undefined;
  } catch {
    return undefined;
  }
}
