/** Text of a log or a model as a screen may show it: control characters are shown as `\u001b`, but for tabs and ends of lines. */
export function visibleText(text: string): string {
  return text.replace(controls, escaped);
}

/** The same of at most `most` characters, without those that change the order in which a line is read. */
export function visibleLines(text: string, most: number): string {
  const shown = visibleText(text.slice(0, most * 4)).replace(reordering, escaped);
  return shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown.toWellFormed();
}

/** The same in one line of at most `most` characters, for names and titles. */
export function visibleLine(text: string, most = 200): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/gu, " ")
    .replace(unseen, escaped)
    .trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line.toWellFormed();
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Control characters, and those that change the order in which a line is read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
