import type { Quotes } from "./quotes.ts";

/** Reads names such as `a.txt, b.txt and c.txt`; undefined if other words are among them. */
export function names(list: string | undefined, quotes: Quotes): string[] | undefined {
  const all = list?.split(/, ?(?:and )?| and /i).map((part) => name(part, quotes)) ?? [];
  return all.length > 0 && all.every((one) => one !== "") ? all : undefined;
}

/** The name of a file or folder; empty if the words are not one. */
export function name(part: string, quotes: Quotes): string {
  if (here.test(part)) return ".";
  const bare = part
    .replace(/^(?:the |my )?(?:(?:file|folder|directory) )?/i, "")
    .replace(/ (?:file|folder|directory)$/i, "");
  return /\s/.test(bare) ? "" : quotes.unquoted(bare);
}

const here = /^(?:here|(?:this|the current) (?:folder|directory)|(?:this|the) (?:project|repository))$/i;

export function isFile(part: string | undefined, quotes: Quotes): boolean {
  return part !== undefined && !/\s/.test(part) && looksLikeFile(quotes.unquoted(part));
}

/** Only the name is known: it is a file if it has an extension or is one of the usual names without one. */
export function looksLikeFile(path: string): boolean {
  return fileName.test(path.split("/").at(-1) ?? "");
}

const fileName =
  /^(?:[^*?\n]+\.[A-Za-z][A-Za-z0-9]*|\.[a-z]+rc|\.(?:env|gitignore|npmrc)|LICENSE|README|CHANGELOG|NOTICE|Makefile|Dockerfile)$/;

export function isGlob(part: string | undefined, quotes: Quotes): boolean {
  return part !== undefined && /^\S*\*\S*$/.test(quotes.unquoted(part));
}
