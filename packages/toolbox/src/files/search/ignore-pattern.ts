import {
  anyCharacters,
  anyFolders,
  type CharacterTest,
  matchFolders,
  matchName,
  type NameTest,
  type Steps,
} from "../glob.ts";

/** One rule of a .gitignore. */
export interface IgnorePattern {
  /** Whether it is a `!` rule, which undoes the rules before it. */
  isException: boolean;
  onlyFolders: boolean;
  /** @param names of the path of an entry, relative to the folder of the .gitignore */
  matches(names: readonly string[], steps: Steps): boolean;
}

/** Compiles a line as git does. Undefined for a blank line, a comment, and a pattern that matches nothing. */
export function compileIgnoreLine(line: string, ignoreCase: boolean): IgnorePattern | undefined {
  if (line.startsWith("#")) return undefined;
  const isException = line.startsWith("!");
  const written = withoutTrailingSpaces(isException ? line.slice(1) : line);
  const onlyFolders = written.endsWith("/");
  const path = onlyFolders ? written.slice(0, -1) : written;
  const parts = path.replace(/^\//, "").split("/");
  const isAnchored = path.includes("/");
  const compiled = parts.map((part) =>
    isAnchored && part === "**" ? namesOfAnyFolders : compileName(part, ignoreCase),
  );
  if (parts.includes("") || compiled.includes(undefined)) return undefined;
  const names = (compiled as CompiledName[]).map(({ test }) => test);
  const end = compiled.at(-1)?.end ?? "";
  // `**` at the end matches the content of a folder, but not the folder itself.
  if (names.at(-1) === anyFolders) names.splice(-1, 0, [anyCharacters]);
  const fold = (name: string) => (ignoreCase ? name.toLowerCase() : name);
  const [only = []] = names;
  const matchAll = isAnchored
    ? (below: readonly string[], steps: Steps) => matchFolders(names, below.map(fold), steps)
    : (below: readonly string[], steps: Steps) => matchName(only, fold(below.at(-1) ?? ""), steps);
  // Most rules end in literal characters, such as `*.log`, that most names do not end in: comparing the end costs no step.
  const matches = (below: readonly string[], steps: Steps) =>
    fold(below.at(-1) ?? "").endsWith(end) && matchAll(below, steps);
  return { isException, onlyFolders, matches };
}

interface CompiledName {
  test: NameTest;
  /** The characters after the last wildcard. Every name that the pattern matches ends with them. */
  end: string;
}

const namesOfAnyFolders: CompiledName = { test: anyFolders, end: "" };

/** As in git, spaces at the end are ignored unless a backslash precedes them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, index: number): boolean {
  let backslashes = 0;
  while (line[index - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** Undefined if the pattern cannot match: it has an open bracket, or a backslash at the end. */
function compileName(pattern: string, ignoreCase: boolean): CompiledName | undefined {
  const characters = Array.from(ignoreCase ? pattern.toLowerCase() : pattern);
  const tests: CharacterTest[] = [];
  let end = "";
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    if (character === "*") {
      end = "";
      // Two stars within a name mean the same as one.
      if (tests.at(-1) !== anyCharacters) tests.push(anyCharacters);
    } else if (character === "?") {
      end = "";
      tests.push(() => true);
    } else if (character === "[") {
      const found = compileClass(characters, index + 1);
      if (found === undefined) return undefined;
      end = "";
      tests.push(found.test);
      index = found.end;
    } else {
      if (character === "\\") index += 1;
      const literal = characters[index];
      if (literal === undefined) return undefined;
      end += literal;
      tests.push((candidate) => candidate === literal);
    }
  }
  return { test: tests, end };
}

/** Compiles the class that begins after a bracket. `end` is the index of its closing bracket. */
function compileClass(characters: readonly string[], from: number): { test: CharacterTest; end: number } | undefined {
  const isNegated = characters[from] === "!" || characters[from] === "^";
  const members: CharacterTest[] = [];
  const start = isNegated ? from + 1 : from;
  for (let index = start; index < characters.length; index += 1) {
    let first = characters[index];
    if (first === "]" && index > start) {
      return { end: index, test: (character) => members.some((member) => member(character)) !== isNegated };
    }
    if (first === "[" && characters[index + 1] === ":") {
      const end = characters.indexOf("]", index + 2);
      const kind = characters.slice(index + 2, end - 1).join("");
      const expression =
        Object.hasOwn(characterKinds, kind) && characters[end - 1] === ":" ? characterKinds[kind] : undefined;
      if (expression === undefined) return undefined;
      members.push((character) => expression.test(character));
      index = end;
      continue;
    }
    if (first === "\\") first = characters[++index];
    if (first === undefined) return undefined;
    let last = first;
    if (characters[index + 1] === "-" && characters[index + 2] !== "]" && characters[index + 2] !== undefined) {
      index += 2;
      if (characters[index] === "\\") index += 1;
      last = characters[index] ?? "";
    }
    const [low, high] = [first, last];
    members.push((character) => character >= low && character <= high);
  }
  return undefined;
}

const characterKinds: Record<string, RegExp> = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,

  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};
