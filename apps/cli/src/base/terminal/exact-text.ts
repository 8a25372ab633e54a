import { columnsOf, escaped } from "./text.ts";

/**
 * Splits a text into pieces that belong on one row, none of which can hide. Letters, digits, punctuation and symbols stand
 * for themselves; everything else becomes an escape. An escape that the text itself spells is marked, and so is a space
 * that a person could miss. So two texts look the same only if their letters do.
 */
export function exactPieces(text: string): string[] {
  return Array.from(text.matchAll(pieces)).flatMap(({ 0: piece, groups: { plain } = {} }) => shown(piece, plain));
}

/** Unicode equates some texts, such as é in one character and in two. One of them stands for itself, the others are escaped. */
function shown(piece: string, plain: string | undefined): string[] {
  if (plain === undefined) return [escaped(piece)];
  if (plain.normalize("NFC") === plain) return [plain];
  const [letter = "", ...marks] = plain;
  const isSame = letter.normalize("NFC") === letter;
  return [isSame ? letter : escaped(letter), ...marks.map(escaped)];
}

/**
 * Splits a line of a longer text in the same way, but keeps its shape: spaces stay, and a tab becomes an arrow and three
 * spaces.
 */
export function exactLinePieces(line: string): string[] {
  return Array.from(line.matchAll(pieces)).flatMap(({ 0: piece, groups: { plain } = {} }) => {
    if (piece === " ") return piece;
    if (piece === "\t") return "→   ";
    return piece === "→" ? escaped(piece) : shown(piece, plain);
  });
}

/** A text on one line; see `exactPieces`. */
export function exact(text: string): string {
  return exactPieces(text).join("");
}

/**
 * - a backslash that stands before what would be read as the rest of an escape
 * - a letter with at most two marks on it: more would be drawn over the neighbours; the vowels and last consonants of
 *   Korean join into syllables that have a character of their own
 * - a space between two characters that are none
 * Characters that fonts draw as nothing are escaped, although they count as letters, marks or symbols.
 */
const pieces =
  /\\(?=u[\da-fA-F]{4}|u\{)|(?<plain>(?!\p{Default_Ignorable_Code_Point}|[\u1160-\u11ff\ud7b0-\ud7ff\u{13441}\u{13442}])\p{L}(?:(?!\p{Default_Ignorable_Code_Point}|\p{Me}|[\u2d7f\u{1107f}\u{16fe4}])\p{M}){0,2}|(?!\p{Default_Ignorable_Code_Point}|[\u2800\ufffc\u{1d159}])[\p{N}\p{P}\p{S}]|(?<=[^ ]) (?=[^ ]))|./gsu;

/**
 * Joins pieces into rows of at most so many columns, which break between words where they can. A space at which a row breaks begins the
 * next one, so that the rows together are the text, and no row ends in a space, which would be invisible there.
 */
export function rowsOf(pieces: readonly string[], columns: number): string[] {
  const rows: string[] = [];
  let row: string[] = [];
  let used = 0;
  for (const piece of pieces) {
    const width = columnsOf(piece);
    while (used + width > columns && row.length > 0) {
      const moved = row.splice(piece === " " ? row.length : breakIn(row));
      rows.push(row.join(""));
      row = moved;
      used = columnsOf(moved.join(""));
    }
    row.push(piece);
    used += width;
  }
  return [...rows, row.join("")];
}

/** Where a row that is full breaks: before its last word. */
function breakIn(row: readonly string[]): number {
  for (let at = row.length - 1; at > 0; at--) if (row[at] === " " && row[at - 1] !== " ") return at;
  return row.length > 1 && row.at(-1) === " " ? row.length - 1 : row.length;
}
