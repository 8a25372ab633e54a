import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { ToolboxError } from "../../errors.ts";
import { type UnifiedText, unifiedLineEnds, unifiedText } from "./line-ends.ts";

/** What to search for. */
export interface SearchTerms {
  text: string;
  /** `text` is an expression in RE2 syntax; `^` and `$` match at line ends. */
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
}

/** A match; `group` returns the text that a group matched, empty if the group took no part. */
export interface TextPlace {
  start: number;
  end: number;
  group(name: number | string): string;
}

export interface TextSearch {
  /** Returns a function that finds the first match at or after an offset. It throws `expression_invalid` if it takes too long. */
  in(text: string): (from: number) => TextPlace | undefined;
  /** Whether it is an expression that names CR, and so is about the line ends themselves. */
  namesReturn: boolean;
  groupCount: number;
  groupNames: readonly string[];
}

/**
 * A line end in what is searched matches those of the file, whatever they are: CRLF, CR or LF. Only a search that names CR takes
 * them as they are.
 *
 * Expressions are RE2's because their time is linear in the text: JavaScript's own can hang the process.
 *
 * @throws ToolboxError `expression_invalid`
 */
export function compileSearch({ text, regex = false, ignoreCase = false }: SearchTerms): TextSearch {
  if (!regex && !ignoreCase) return literal(text);
  const expression = compile(text, regex, ignoreCase);
  const isExact = regex ? namesReturn.test(text) : text.includes("\r");
  return {
    in: (original) => {
      const unified = isExact ? unchanged(original) : unifiedText(original);
      const searched = unified.text;
      // A search cannot be interrupted. On a text without a match it takes up to this many steps.
      if (expression.programSize() * searched.length > mostSteps) throw tooSlow(text);
      const matcher = expression.matcher(searched);
      let spent = 0;
      return (from) => {
        if (from > original.length) return undefined;
        // Each search is linear, but may read far beyond its match, which adds up if there are many matches.
        if (spent > mostTime) throw tooSlow(text);
        const startedAt = performance.now();
        const isFound = matcher.find(unified.unified(from));
        spent += performance.now() - startedAt;
        if (!isFound) return undefined;
        return placeOf(matcher, original, unified);
      };
    },
    namesReturn: regex && isExact,
    groupCount: expression.groupCount(),
    groupNames: Object.keys(expression.namedGroups()),
  };
}

const longestExpression = 1000;

/** Takes some seconds. In a text of 1 MiB an expression may have about a hundred steps. */
const mostSteps = 100_000_000;

/** Milliseconds that the searches of one text may take together. */
const mostTime = 2000;

/** The escapes of CR in RE2 syntax, and CR itself. */
const namesReturn = /\r|\\r|\\x0d|\\x\{0*d\}|\\0?15/i;

function unchanged(text: string): UnifiedText {
  return { text, original: (offset) => offset, unified: (offset) => offset };
}

function placeOf(matcher: Matcher, original: string, unified: UnifiedText): TextPlace {
  const start = unified.original(matcher.start());
  const end = unified.original(matcher.end());
  return {
    start,
    end,
    group(name) {
      const from = matcher.start(name);
      return from < 0 ? "" : original.slice(unified.original(from), unified.original(matcher.end(name)));
    },
  };
}

type Matcher = ReturnType<RE2JS["matcher"]>;

function literal(wanted: string): TextSearch {
  return { in: (text) => literalIn(text, wanted), namesReturn: false, groupCount: 0, groupNames: [] };
}

function literalIn(text: string, wanted: string): (from: number) => TextPlace | undefined {
  // A text that names CR is looked for as it is; if it is nowhere, it was copied from a file with other line ends.
  const isAsItIs =
    !/[\r\n]/.test(wanted) || (wanted.includes("\r") && (!/[^\r\n]/.test(wanted) || text.includes(wanted)));
  if (isAsItIs) {
    return (from) => {
      const start = text.indexOf(wanted, from);
      return start === -1 ? undefined : { start, end: start + wanted.length, group: () => wanted };
    };
  }
  const unified = unifiedText(text);
  const sought = unifiedLineEnds(wanted);
  return (from) => {
    if (from > text.length) return undefined;
    const found = unified.text.indexOf(sought, unified.unified(from));
    if (found === -1) return undefined;
    const [start, end] = [unified.original(found), unified.original(found + sought.length)];
    return { start, end, group: () => text.slice(start, end) };
  };
}

function compile(text: string, regex: boolean, ignoreCase: boolean): RE2JS {
  if (text.length > longestExpression) {
    throw invalid(text.slice(0, 100), `it is longer than ${longestExpression} characters`);
  }
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  try {
    return RE2JS.compile(regex ? text : RE2JS.quote(text), flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalid(text, error instanceof RE2JSSyntaxException ? where(text, error) : error.message, error);
  }
}

function where(text: string, error: RE2JSSyntaxException): string {
  const part = error.getPattern() ?? "";
  const at = text.indexOf(part);
  const place = part !== "" && at !== -1 ? ` at character ${at + 1}, "${part}"` : "";
  return error.getDescription() + place;
}

function invalid(text: string, problem: string, cause?: unknown): ToolboxError {
  const syntax =
    'RE2 syntax has no look-around and no back-references; set "regex" to false to find the text as it is.';
  const message = `The expression "${text}" is not understood: ${problem}. ${syntax}`;
  return new ToolboxError("expression_invalid", text, message, { cause });
}

function tooSlow(text: string): ToolboxError {
  const advice = "Make it shorter and simpler, or leave large files out by a pattern.";
  return new ToolboxError("expression_invalid", text, `The expression "${text}" takes too long on a text. ${advice}`);
}
