/**
 * Text that cannot steer a terminal: control characters other than line feed and tab, and those that turn the reading
 * direction, become escapes that can be read.
 */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** On one line, at most `width` characters. */
export function oneLine(text: string, width: number): string {
  return clip(
    visible(text.slice(0, width * 4))
      .replace(/\s+/g, " ")
      .trim(),
    width,
  );
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

/** About so many lines as `show` gives them, and how many more there are. */
export function cut(lines: readonly string[], most: number, show = (line: string) => line): string[] {
  // A line that says there is one more takes as much room as that one.
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  const shown = lines.slice(0, lines.length - hidden).map(show);
  return hidden > 0 ? [...shown, `… ${counted(hidden, "more line")}`] : shown;
}

/** All of a text, in lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
  return visible(text)
    .split("\n")
    .flatMap((line) => {
      const characters = Array.from(line);
      const rows = Math.max(1, Math.ceil(characters.length / width));
      return Array.from({ length: rows }, (_, row) => characters.slice(row * width, (row + 1) * width).join(""));
    });
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

/** How many columns it takes, see `within`. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** Filled with spaces up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Cut to so many columns. Nobody knows which characters a terminal shows in two; those below U+1100 take one at most. */
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

/** Cut to so many columns, the last of which says so. */
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
