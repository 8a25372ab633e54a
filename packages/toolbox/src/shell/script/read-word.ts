/** A word of a command as a shell passes it on. */
export type ScriptWord =
  | { readonly kind: "literal"; readonly value: string }
  /** A wildcard over files. `value` is the pattern without quotes: what is passed if no file matches. */
  | { readonly kind: "glob"; readonly value: string }
  /** Nobody can say before it runs what it becomes. `value` is its text. */
  | { readonly kind: "open"; readonly value: string };

export interface ReadWord {
  readonly word: ScriptWord;
  /** Why the word speaks against judging the script, such as "a variable". */
  readonly problem?: string;
}

/**
 * Reads the source of one word as bash does: removes quotes, and finds what bash would expand. Everything that is not known to
 * stay as it is makes the word `open`.
 */
export function readWord(text: string): ReadWord {
  // The program `[`: a bracket that nothing closes is no wildcard.
  if (text === "[") return { word: { kind: "literal", value: text } };
  let value = "";
  let isGlob = false;
  let problem: string | undefined;
  const open = (why: string): ReadWord => ({ word: { kind: "open", value: text }, problem: why });
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const rest = text.slice(index);
    if (character === "'") {
      const end = text.indexOf("'", index + 1);
      if (end < 0) return open("an open quote");
      value += text.slice(index + 1, end);
      index = end + 1;
    } else if (character === '"') {
      const read = doubleQuoted(text, index);
      if (typeof read === "string") return open(read);
      value += read.value;
      index = read.end;
    } else if (character === "\\") {
      const escaped = Array.from(text.slice(index + 1, index + 3))[0];
      if (escaped === undefined) return open("a backslash at the end");
      // What stands on both sides of it is read as one, such as the 2 and the > of a redirection.
      if (escaped === "\n") problem = "a line break inside of a word";
      else value += escaped;
      index += 1 + escaped.length;
    } else if (rest.startsWith("$'")) {
      const read = ansiQuoted(text, index);
      if (typeof read === "string") return open(read);
      value += read.value;
      index = read.end;
      // A plain `sh` passes on the dollar.
      problem = "a quote that only bash reads ($')";
    } else if (character === "$" || character === "`") {
      return open(expansionNamed(rest));
    } else if (character === "~" && (index === 0 || "=:".includes(text.charAt(index - 1)))) {
      return open("a home folder (~)");
    } else if (character === "{") {
      const braces = literalBraces.exec(rest)?.[0];
      if (braces === undefined) return open("a brace expansion ({)");
      value += braces;
      index += braces.length;
    } else if (/[\s|&;<>()]/.test(character)) {
      return open(/[<>]\(/.test(rest.slice(0, 2)) ? "a process substitution" : `a "${character}" inside of a word`);
    } else {
      if (/[*?[]/.test(character)) isGlob = true;
      else if (character === "#" && index === 0) return open("a comment in the place of a word");
      value += character;
      index += 1;
    }
  }
  if (!isGlob) return { word: { kind: "literal", value }, ...(problem !== undefined && { problem }) };
  const danger = problem ?? globProblem(text, value);
  return { word: { kind: "glob", value }, ...(danger !== undefined && { problem: danger }) };
}

/** `{}`, `@{0}` and the like, which shells do not expand. */
const literalBraces = /^\{[\w@^/-]*\}/;

/** What a wildcard may become beside names of files below the folder. Its first character must be one that stays. */
function globProblem(text: string, value: string): string | undefined {
  if (!/^[\p{L}\p{N}_.]/u.test(text)) return "a wildcard that may become an option: begin it with ./ or with a name";
  const names = value.split("/");
  if (names.some((name) => name === ".." || /^\..*[*?[]/.test(name)))
    return "a wildcard that may lead out of its folder";
  // A word such as `of=…` is more than the name of a file to the program that reads it.
  return value.includes("=") ? "a wildcard in a value" : undefined;
}

interface Quoted {
  value: string;
  end: number;
}

function doubleQuoted(text: string, start: number): Quoted | string {
  let value = "";
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') return { value, end: index + 1 };
    if (character === "`") return expansionNamed("`");
    if (character === "$") {
      // Before these a dollar stays a dollar, such as at the end of a pattern.
      if (!/^\$["| )]/.test(text.slice(index))) return expansionNamed(text.slice(index));
      value += character;
    } else if (character === "\\" && /[$`"\\\n]/.test(text.charAt(index + 1))) {
      index += 1;
      if (text.charAt(index) !== "\n") value += text.charAt(index);
    } else {
      value += character;
    }
  }
  return "an open quote";
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

function ansiQuoted(text: string, start: number): Quoted | string {
  let value = "";
  for (let index = start + 2; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "'") return { value, end: index + 1 };
    if (character === "\\") {
      index += 1;
      const meant = escapes[text.charAt(index)];
      if (meant === undefined) return "a quote with numbers of characters ($')";
      value += meant;
    } else {
      value += character;
    }
  }
  return "an open quote";
}

function expansionNamed(rest: string): string {
  if (rest.startsWith("$((") || rest.startsWith("$[")) return "arithmetic ($(()))";
  if (rest.startsWith("$(")) return "a command substitution ($())";
  if (rest.startsWith("`")) return "a command substitution (`)";
  if (rest.startsWith('$"')) return 'a translated text ($")';
  return "a variable ($)";
}
