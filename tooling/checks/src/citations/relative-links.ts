/** A link of a Markdown text to a place without a scheme. */
export interface RelativeLink {
  /** As it is written, such as `../README.md#shell`. */
  link: string;
  /** The part before the anchor, empty for a heading of the same page. */
  path: string;
  /** The part after `#`; undefined without one. */
  anchor: string | undefined;
  /** The line of the link, counted from 1. */
  line: number;
}

/** The relative links of a Markdown text, without those in fences. */
export function relativeLinksOf(markdown: string): RelativeLink[] {
  const text = withoutFences(markdown);
  return Array.from(text.matchAll(/\]\((?![a-z]+:)([^()\s]+)\)/g), ({ index, 1: link = "" }) => {
    const [path = "", anchor] = link.split("#");
    return { link, path, anchor, line: text.slice(0, index).split("\n").length };
  });
}

/** Markdown without the code of its fences. Every line keeps its number. */
export function withoutFences(markdown: string): string {
  return markdown.replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, (block) => block.replace(/[^\n]/g, ""));
}
