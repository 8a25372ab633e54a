import type { EntryUnit, FindIntent, Intent, TextUnit } from "./intent.ts";
import { isFile, isGlob, looksLikeFile, name, names } from "./names.ts";
import type { Quotes } from "./quotes.ts";

/** The intents of one clause; undefined if no rule matches its words. */
export function readClause(clause: string, quotes: Quotes): Intent[] | undefined {
  if (clause.length > longestClause) return undefined;
  for (const { pattern, read } of rules) {
    const match = pattern.exec(clause);
    const intents = match && read(match.slice(1), quotes);
    if (intents) return intents;
  }
  return undefined;
}

const longestClause = 2_000;

/** `read` returns undefined if the words match but their arguments do not make sense; then the next rule is tried. */
interface Rule {
  pattern: RegExp;
  read(parts: readonly (string | undefined)[], quotes: Quotes): Intent[] | undefined;
}

const inPlace =
  "(?: (?:in|under|inside|within) (?:the )?(?:folder |directory )?(\\S+|this folder)(?: folder| directory)?)?";
const countOf = "(?:count|how many)(?: all)?(?: of)?(?: the)?";
const newFile = "(?: (?:a|an|the))?(?: new)?(?: file)?(?: named| called)?";

/** The first rule that matches is taken, so special rules come before general ones. */
const rules: readonly Rule[] = [
  {
    pattern: rule(
      `(?:write|save|put|store)(?: the)?(?: (?:text|line|content|words?))? (.+) (?:to|into|in)${newFile} (\\S+)`,
    ),
    read: ([content, file], quotes) =>
      quotes.isQuoted(content) || isNamed(file, quotes) ? write(file, content, quotes) : undefined,
  },
  {
    pattern: rule(
      `(?:create|make|write|save)${newFile} (\\S+) (?:with|containing|that says|saying)(?: the)?(?: (?:contents?|text|line))? (.+)`,
    ),
    read: ([file, content], quotes) => (isNamed(file, quotes) ? write(file, content, quotes) : undefined),
  },
  {
    pattern: rule("(?:create|make)(?: (?:a|an|the))?(?: empty)?(?: new)?(?: file)?(?: named| called)? (\\S+)"),
    read: ([file], quotes) => (isNamed(file, quotes) ? write(file, "", quotes) : undefined),
  },
  {
    pattern: rule(
      `${countOf} (lines|words|characters)(?: are)?(?: there)? (?:in|of|does) (.+?)(?: have| has| contain)?`,
    ),
    read: ([unit, files], quotes) =>
      names(files, quotes)?.map((file) => ({ kind: "read", file, count: unit?.toLowerCase() as TextUnit })),
  },
  {
    pattern: rule(
      `${countOf} (files|folders|directories|entries)(?: are)?(?: there)?(?: (?:in|inside|of|does) (.+?)(?: have| has| contain| hold)?)?`,
    ),
    read: ([unit, paths], quotes) =>
      names(paths ?? ".", quotes)?.map((path) => ({ kind: "list", path, count: entryUnit(unit) })),
  },
  {
    pattern: rule(
      `${countOf}(?: (?:occurrences|mentions|times) of| lines (?:with|containing)| times)?(?: does)? (.+?)(?: files)?(?: (?:are|is))?(?: there)?(?: (?:appear|occur))?${inPlace}`,
    ),
    read: ([wanted, path], quotes) => findWord(wanted, path, quotes)?.map((intent) => ({ ...intent, count: true })),
  },
  {
    pattern: rule(
      `(?:find|search for|look for|list|show(?: me)?|which|what)(?: all)?(?: the)? (?:files?|lines?)(?: that| which)? (?:containing|contains?|with|mentioning|mentions?|having|have|has|of) (.+?)${inPlace}`,
    ),
    read: ([content, path], quotes) => findContent(content, path, quotes),
  },
  {
    pattern: rule(
      `(?:find|search for|look for|list|show(?: me)?)(?: all)?(?: the)? files? (?:named|called|matching|like) (.+?)${inPlace}`,
    ),
    read: ([pattern, path], quotes) => findNames(pattern, path, quotes),
  },
  {
    pattern: rule(`search (?:in )?(?:the )?(\\S+) for (.+)`),
    read: ([path, wanted], quotes) => find(wanted, path, quotes),
  },
  {
    pattern: rule(
      `(?:find|search(?: for)?|grep(?: for)?|look for|locate)(?: all)?(?: the)?(?: (?:occurrences|mentions) of| files?)? (.+?)(?: files)?${inPlace}`,
    ),
    read: ([wanted, path], quotes) => find(wanted, path, quotes),
  },
  {
    pattern: rule(`where (?:is|are) (.+?)(?: (?:used|mentioned|defined))?${inPlace}`),
    read: ([wanted, path], quotes) => findWord(wanted, path, quotes),
  },
  {
    pattern: rule(
      "(?:list|ls|show(?: me)?|display|print)(?: all)?(?: of)?(?: the)? (?:files(?: and (?:folders|directories))?|entries|everything|folders|directories)(?: (?:of|in|inside|under|from|within) (.+))?",
    ),
    read: ([paths], quotes) => names(paths ?? ".", quotes)?.map((path) => ({ kind: "list", path })),
  },
  {
    pattern: rule("(?:list|ls)(?: (.+))?"),
    read: ([paths], quotes) => names(paths ?? ".", quotes)?.map((path) => ({ kind: "list", path })),
  },
  {
    pattern: rule(
      "what(?:'s|’s| is| are)?(?: the)?(?: (?:files|folders|contents?))?(?: (?:is|are))?(?: there)? (?:in|inside|of) (.+)",
    ),
    read: ([paths], quotes) => names(paths, quotes)?.map((path) => open(path)),
  },
  {
    pattern: rule("what does (.+) (?:contain|say|hold)"),
    read: ([paths], quotes) => names(paths, quotes)?.map((path) => open(path)),
  },
  {
    pattern: rule("(?:read|cat|open)(?: me)?(?: the)?(?: (?:contents?|text) of)? (.+)"),
    read: ([files], quotes) => names(files, quotes)?.map((file) => ({ kind: "read", file })),
  },
  {
    pattern: rule("(?:show|print|display|view)(?: me)?(?: the)?(?: (?:contents?|text) of)? (.+)"),
    read: ([paths], quotes) => names(paths, quotes)?.map((path) => open(path)),
  },
];

function rule(source: string): RegExp {
  return new RegExp(`^${source}$`, "i");
}

/** Writes only to names that look like files, unlike `write a letter to grandma`. */
function isNamed(file: string | undefined, quotes: Quotes): boolean {
  return quotes.isQuoted(file) || isFile(file, quotes);
}

function write(file: string | undefined, content: string | undefined, quotes: Quotes): Intent[] | undefined {
  const [name, ...others] = names(file, quotes) ?? [];
  if (name === undefined || others.length > 0 || content === undefined) return undefined;
  return [{ kind: "write", file: name, content: quotes.unquoted(content) }];
}

/** A search for files if the words look like a name of files, otherwise for lines with this content. */
function find(wanted: string | undefined, path: string | undefined, quotes: Quotes): FindIntent[] | undefined {
  const isName = isGlob(wanted, quotes) || (!quotes.isQuoted(wanted) && isFile(wanted, quotes));
  return isName ? findNames(wanted, path, quotes) : findContent(wanted, path, quotes);
}

/** Several words without quotes are more likely a question about the world than about files. */
function findWord(wanted: string | undefined, path: string | undefined, quotes: Quotes): FindIntent[] | undefined {
  return /\s/.test(wanted ?? "") ? undefined : find(wanted, path, quotes);
}

function findNames(pattern: string | undefined, path: string | undefined, quotes: Quotes): FindIntent[] | undefined {
  return pattern === undefined
    ? undefined
    : [{ kind: "find", pattern: quotes.unquoted(pattern), ...folder(path, quotes) }];
}

function findContent(content: string | undefined, path: string | undefined, quotes: Quotes): FindIntent[] | undefined {
  if (content === undefined) return undefined;
  const intent = { kind: "find" as const, content: quotes.unquoted(content) };
  const file = path !== undefined && isFile(path, quotes) ? name(path, quotes) : undefined;
  return [{ ...intent, ...(file === undefined ? folder(path, quotes) : { pattern: file.replace(/^\.\//, "") }) }];
}

function folder(path: string | undefined, quotes: Quotes): { path?: string } {
  return path === undefined ? {} : { path: name(path, quotes) };
}

/** Reads a file, lists a folder. */
function open(path: string): Intent {
  return looksLikeFile(path) ? { kind: "read", file: path } : { kind: "list", path };
}

function entryUnit(unit: string | undefined): EntryUnit {
  const word = unit?.toLowerCase();
  return word === "entries" ? "entries" : word === "files" ? "files" : "folders";
}
