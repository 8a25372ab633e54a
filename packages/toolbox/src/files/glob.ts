import { ToolboxError } from "../errors.ts";

/**
 * Compiles a glob into a test for paths with `/` between names. `*` and `?` match within a name, `**` matches any number of
 * folders, `[a-z]` and `[!a-z]` one character, `{a,b}` either; `\` makes the next character literal. A pattern without `/` is
 * compared with the last name only. A test takes at most pattern × path steps, up to a fixed limit.
 *
 * @throws ToolboxError `pattern_invalid`; the test throws it too, for a path that would take too many steps
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern, pattern).map((alternative) => {
    const names = alternative.replace(/^(\.\/)+/, "").split("/");
    if (names.some((name) => name === "" || name === "..")) {
      throw invalid(pattern, 'names no files: patterns are relative to "path", such as "src/**/*.ts"');
    }
    return names.map((name) => (name === "**" ? anyFolders : compileName(name)));
  });
  return (path) => {
    const names = path.split("/");
    const steps: Steps = { left: mostSteps };
    const isMatch = alternatives.some((alternative) => {
      const candidate = alternative.length === 1 && alternative[0] !== anyFolders ? names.slice(-1) : names;
      return matchFolders(alternative, candidate, steps);
    });
    if (steps.left < 0) throw invalid(pattern, "takes too long to compare with long paths; make it simpler");
    return isMatch;
  };
}

/**
 * Compiles the pattern of a call. A path or name that is the pattern, letter by letter, matches too: frameworks use brackets in
 * names, such as `app/[slug]/page.tsx`.
 *
 * @throws as {@link compileGlob}
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  const matches = compileGlob(pattern);
  const literal = pattern.replace(/^(\.\/)+/, "");
  const isName = !literal.includes("/");
  return (path) => (isName ? path.slice(path.lastIndexOf("/") + 1) : path) === literal || matches(path);
}

/** What a pattern with brackets means, for a call that may have meant a name; undefined for any other pattern. */
export function bracketNote(pattern: string | undefined): string | undefined {
  const set = pattern === undefined ? undefined : /(?<!\\)\[[^\]/]*\]/.exec(pattern)?.[0];
  if (set === undefined) return undefined;
  const literal = set.replace(/[[\]]/g, "\\$&");
  return `"${set}" in "pattern" matches one character of the set, or a name that is written so; "${literal}" matches only the name.`;
}

/** Tests one character of a name. `anyCharacters` stands for any number of characters. */
export type CharacterTest = (character: string) => boolean;
export type NameTest = readonly CharacterTest[];

/** The number of comparisons that remain. Below 0, nothing matches. */
export interface Steps {
  left: number;
}

/** Matches names against tests, some of which are `anyFolders`. */
export function matchFolders(tests: readonly NameTest[], names: readonly string[], steps: Steps): boolean {
  return matchSequence(
    tests,
    names,
    (test) => test === anyFolders,
    (test, name) => matchName(test, name, steps),
    steps,
  );
}

/** Matches the characters of a name against tests, some of which are `anyCharacters`. */
export function matchName(test: NameTest, name: string, steps: Steps): boolean {
  return matchSequence(
    test,
    Array.from(name),
    (part) => part === anyCharacters,
    (part, character) => part(character),
    steps,
  );
}

export const anyCharacters: CharacterTest = () => true;
const oneCharacter: CharacterTest = () => true;
export const anyFolders: NameTest = [];

/** For one path with all alternatives; takes some hundredths of a second. */
const mostSteps = 1_000_000;
const mostAlternatives = 100;

function expandBraces(pattern: string, whole: string): string[] {
  const braces = firstBraces(pattern);
  if (braces === undefined) return [pattern];
  const expanded = braces.options.flatMap((option) => expandBraces(braces.before + option + braces.after, whole));
  if (expanded.length > mostAlternatives) throw invalid(whole, `has more than ${mostAlternatives} alternatives`);
  return expanded;
}

function firstBraces(pattern: string): { before: string; options: string[]; after: string } | undefined {
  const commas: number[] = [];
  let open = -1;
  let depth = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === "\\") index += 1;
    else if (character === "{") {
      if (depth === 0) open = index;
      depth += 1;
    } else if (character === "," && depth === 1) commas.push(index);
    else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      const bounds = [open, ...commas, index];
      const options = bounds.slice(1).map((end, option) => pattern.slice((bounds[option] ?? 0) + 1, end));
      return { before: pattern.slice(0, open), options, after: pattern.slice(index + 1) };
    }
  }
  return undefined;
}

function compileName(name: string): NameTest {
  const tests: CharacterTest[] = [];
  const characters = Array.from(name);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    const end = character === "[" ? characters.indexOf("]", index + 2) : -1;
    if (character === "*") tests.push(anyCharacters);
    else if (character === "?") tests.push(oneCharacter);
    else if (end !== -1) {
      tests.push(compileClass(characters.slice(index + 1, end)));
      index = end;
    } else {
      if (character === "\\" && index + 1 < characters.length) index += 1;
      const literal = characters[index];
      tests.push((candidate) => candidate === literal);
    }
  }
  return tests;
}

function compileClass(characters: readonly string[]): CharacterTest {
  const negated = characters[0] === "!" || characters[0] === "^";
  const members = negated ? characters.slice(1) : characters;
  const ranges: [string, string][] = [];
  for (let index = 0; index < members.length; index += 1) {
    const first = members[index] ?? "";
    const last = members[index + 1] === "-" ? members[index + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) index += 2;
  }
  return (candidate) => ranges.some(([first, last]) => candidate >= first && candidate <= last) !== negated;
}

/** Matches items against parts, some of which stand for any number of items. Only the last of these is ever extended, so the time is at most parts × items. */
function matchSequence<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isRun: (part: Part) => boolean,
  matches: (part: Part, item: Item) => boolean,
  steps: Steps,
): boolean {
  let part = 0;
  let item = 0;
  let run: { part: number; item: number } | undefined;
  while (item < items.length) {
    steps.left -= 1;
    if (steps.left < 0) return false;
    const current = parts[part];
    if (current !== undefined && isRun(current)) {
      run = { part, item };
      part += 1;
    } else if (current !== undefined && matches(current, items[item] as Item)) {
      part += 1;
      item += 1;
    } else if (run !== undefined) {
      run.item += 1;
      item = run.item;
      part = run.part + 1;
    } else {
      return false;
    }
  }
  while (part < parts.length && isRun(parts[part] as Part)) part += 1;
  return part === parts.length && steps.left >= 0;
}

function invalid(pattern: string, problem: string): ToolboxError {
  return new ToolboxError("pattern_invalid", pattern, `The pattern "${pattern}" ${problem}.`);
}
