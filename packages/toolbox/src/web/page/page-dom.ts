import { parseHTML } from "linkedom";

/** The part of the DOM that this package uses. The parser's own types need the browser's, which are not loaded here. */
export interface PageElement {
  readonly textContent: string | null;
  readonly firstChild: object | null;
  readonly parentNode: PageElement | null;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  insertBefore(node: object, before: object): unknown;
  remove(): void;
}

export interface PageDocument {
  readonly body: PageElement;
}

/**
 * Parses any page into a document with one body. The parser does not add `html`, `head` and `body` if a page leaves them out.
 * So they are added here, and the page's own are removed.
 */
export function parsePage(html: string): PageDocument {
  const { document } = parseHTML(`<html><head></head><body>${html}</body></html>`) as unknown as {
    document: PageDocument;
  };
  for (const element of [...document.body.querySelectorAll("html, head, body")]) unwrap(element);
  for (const element of document.body.querySelectorAll("*")) nameInLowerCase(element);
  return document;
}

/** The parser keeps the letter case of attribute names and compares it. As in browsers, the first attribute of a name wins. */
function nameInLowerCase(element: PageElement): void {
  const attributes = [...element.attributes];
  if (attributes.every(({ name }) => name === name.toLowerCase())) return;
  const first = new Map<string, string>();
  for (const { name, value } of attributes) {
    const lower = name.toLowerCase();
    if (!first.has(lower)) first.set(lower, value);
    element.removeAttribute(name);
  }
  for (const [name, value] of first) element.setAttribute(name, value);
}

function unwrap(element: PageElement): void {
  while (element.firstChild) element.parentNode?.insertBefore(element.firstChild, element);
  element.remove();
}
