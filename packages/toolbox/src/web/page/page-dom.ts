import { parseHTML } from "linkedom";

/** As much of the DOM as is needed here. The parser's own types are those of browsers, which this package has not. */
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
 * A page of any form as a document with one body. The parser knows nothing of tags that may be left out, so `html`,
 * `head` and `body` are given to it, and the page's own are taken away.
 */
export function parsePage(html: string): PageDocument {
  const { document } = parseHTML(`<html><head></head><body>${html}</body></html>`) as unknown as {
    document: PageDocument;
  };
  for (const element of [...document.body.querySelectorAll("html, head, body")]) unwrap(element);
  for (const element of document.body.querySelectorAll("*")) nameInLowerCase(element);
  return document;
}

/** The parser leaves the names of attributes as they are written, and finds them only so. The first of a name holds. */
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
