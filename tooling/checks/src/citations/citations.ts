import { posix } from "node:path";
import { relativeLinksOf, withoutFences } from "./relative-links.ts";

/** A text file of the workspace; `path` is relative to its root, with forward slashes. */
export interface TextFile {
  path: string;
  text: string;
}

/**
 * Finds citations of things that do not exist in a source, a type declaration or a Markdown file. Returns one line
 * each, with its place. These are citations:
 *
 * - a law or a section of a document, anywhere: `protocol.md P6`, `protocol.md §3`. The document must have a heading that
 *   begins with `P6` or `3.`.
 * - a document alone, in a comment: `(sandbox.md)`, `in docs/sandbox.md`.
 * - in Markdown, a relative link, with its anchor: `[shell](../README.md#shell)`.
 *
 * @param paths of all files of the workspace
 * @param documents the Markdown files among them
 */
export function deadCitationsOf(file: TextFile, paths: ReadonlySet<string>, documents: readonly TextFile[]): string[] {
  const isMarkdown = file.path.endsWith(".md");
  const text = isMarkdown ? withoutFences(file.text) : joinedComments(file.text);
  const at = (index: number, problem: string) => `${file.path}:${text.slice(0, index).split("\n").length} ${problem}`;
  const named = (name: string) => documents.filter(({ path }) => `/${path}`.endsWith(`/${name}`));
  const dead: string[] = [];

  for (const { index, 1: name = "", 2: targets = "" } of text.matchAll(sectionCitation)) {
    const headings = named(name).flatMap((document) => headingsOf(document.text));
    for (const target of targets.match(/[P§]\d+/g) ?? []) {
      const begins = target.replace("§", "");
      const exists = headings.some((heading) => new RegExp(`^${begins}(\\.|$)`).test(heading));
      if (!exists) dead.push(at(index, `cites ${name} ${target}, which does not exist`));
    }
  }
  if (!isMarkdown) {
    for (const { index, 1: name = "" } of text.matchAll(documentCitation)) {
      const isInComment = /(^|\s)(\/\*\*?|\/\/|\*)(\s|$)/.test(lineBefore(text, index));
      if (isInComment && named(name).length === 0) dead.push(at(index, `cites ${name}, which does not exist`));
    }
    return dead;
  }
  for (const { link, path, anchor, line } of relativeLinksOf(file.text)) {
    const target = path === "" ? file.path : posix.normalize(posix.join(posix.dirname(file.path), path));
    const document = documents.find((one) => one.path === target || one.path === posix.join(target, "README.md"));
    const exists = anchor === undefined ? isThere(target, paths) : anchorsOf(document?.text ?? "").includes(anchor);
    if (!exists) dead.push(`${file.path}:${line} links to ${link}, which does not exist`);
  }
  return dead;
}

const sectionCitation = /\b([\w-]+\.md)(?: +|, *)([P§]\d+(?:(?:, *| +and +)[P§]\d+)*)/g;

const documentCitation = /(?:\(|\b(?:of|in|see|by) +)((?:[\w-]+\/)*[a-z-]+\.md)\b(?! *[P§]\d)/g;

/** Joins a citation that continues on the comment's next line. Every character keeps its offset. */
function joinedComments(source: string): string {
  return source.replace(/(?<=\.md,?)\n\s*(?:\*|\/\/) (?=[P§]\d)/g, (found) => " ".repeat(found.length));
}

function headingsOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) => heading);
}

/** The anchors that GitHub gives to headings. The second of two equal headings gets `-1`. */
function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>();
  return headingsOf(markdown).map((heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function lineBefore(text: string, index: number): string {
  return text.slice(text.lastIndexOf("\n", index) + 1, index + 1);
}

function isThere(target: string, paths: ReadonlySet<string>): boolean {
  const folder = target === "." ? "" : `${target.replace(/\/$/, "")}/`;
  return paths.has(target) || [...paths].some((path) => path.startsWith(folder));
}
