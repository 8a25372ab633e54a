import { escaped, revealed, visible } from "@cogency/page";

export { escaped, revealed, visible };

/** On one line, at most `width` characters; what is cut ends in `…`, also where it would fit without its white space. */
export function oneLine(text: string, width: number): string {
  const most = width * 4;
  const beginning = visible(text.slice(0, most)).replace(/\s+/g, " ").trim();
  return clip(text.length > most ? `${beginning}…` : beginning, width);
}

/** Cut to `width` characters. */
export function clip(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** The beginning of a text: about so many lines, none longer than `width`, and how much more there is. */
export function excerpt(text: string, most: number, width: number): string[] {
  return cut(text.trimEnd().split("\n"), most, (line) => clip(visible(line), width));
}

/** About so many lines, each written by `show`, and how many more there are. */
function cut(lines: readonly string[], most: number, show = (line: string) => line): string[] {
  // A line that says there is one more takes as much room as that one.
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  const shown = lines.slice(0, lines.length - hidden).map(show);
  return hidden > 0 ? [...shown, `… ${counted(hidden, "more line")}`] : shown;
}

/** In lines of at most `width` columns that break between words where there are any. */
export function wordWrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((part) => broken(part, width))) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : undefined;
    if (longer !== undefined && within(longer, width) === longer) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Each line of a text in lines of at most `width` columns that keep its indentation and break between words. */
export function linesWrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const [indent = ""] = /^ */.exec(line) ?? [];
    return wordWrapped(line.slice(indent.length), width - indent.length).map((part) => `${indent}${part}`.trimEnd());
  });
}

/**
 * A text as lines for a stream: wrapped between words on a terminal, and as it is elsewhere.
 *
 * @param margin columns that the caller puts before each line
 */
export function wrappedFor(stream: NodeJS.WriteStream, text: string, margin = 0): string {
  const width = stream.isTTY ? widthOr(stream, 0) : 0;
  return width === 0 ? text : linesWrapped(text, width - margin).join("\n");
}

/** A word that takes more than a line. */
function broken(word: string, width: number): string[] {
  const parts: string[] = [];
  let rest = word;
  do {
    const part = within(rest, Math.max(2, width));
    parts.push(part);
    rest = rest.slice(part.length);
  } while (rest !== "");
  return parts;
}

/** The columns that a text takes; see `within`. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** Filled with spaces up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Cuts a text to so many columns. Terminals differ in the characters that take two; those below U+1100 take at most one. */
export function within(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Cuts a text to so many columns. A text that was cut ends in `…`. */
export function fitted(text: string, columns: number): string {
  return within(text, columns) === text ? text : `${within(text, columns - 1)}…`;
}

function widthOf(character: string): number {
  return character >= "\u1100" && !oneColumn.includes(character) ? 2 : 1;
}

const oneColumn = "…⋯‘’“”–—";

/** `1 step`, `2 steps`. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/**
 * The columns of a terminal. Some terminals, such as those of `script` and `expect`, say that they have none.
 *
 * @param otherwise for these, and for what is no terminal
 */
export function widthOr(stream: { readonly columns?: number }, otherwise: number): number {
  return stream.columns || otherwise;
}
