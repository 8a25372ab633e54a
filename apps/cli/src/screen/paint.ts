import { stripVTControlCharacters } from "node:util";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { columnsOf, escaped } from "../base/terminal/text.ts";

/** What stands at the foot of the screen: rows that no terminal wraps, and where the cursor is among them. */
export interface Frame {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The frame of a screen on which nothing is painted yet: the cursor stands at the beginning of a row. */
export const emptyFrame: Frame = { rows: [""], cursor: { row: 0, column: 0 } };

/**
 * The bytes that put lines for good above the foot of the screen, and turn its old frame into a new one. Both are written in one
 * synchronized update, so that no terminal shows a half of it. Empty if there is nothing to paint.
 *
 * The terminal may have changed its width before it reads them. Therefore lines that stay are written whole, and rows are counted
 * upwards only, so that what is erased always belongs to the foot.
 */
export function painted(before: Frame, lines: readonly string[], after: Frame, columns: number): string {
  if (lines.length > 0) return paintedAnew(before.cursor.row, lines, after, columns);
  const inPlace = changedInPlace(before, after);
  if (inPlace === undefined) {
    const same = after.rows.findIndex((text, index) => text !== before.rows[index]);
    const first = Math.min(before.cursor.row, same < 0 ? after.rows.length - 1 : same);
    return paintedAnew(before.cursor.row - first, [], after, columns, first);
  }
  const { row } = before.cursor;
  const changes = inPlace.map((index) => {
    const bytes = rowChange(before.rows[index] ?? "", after.rows[index] ?? "", columns);
    return `${moved(index - row)}${bytes}${moved(row - index)}`;
  });
  const isMoved = before.cursor.column !== after.cursor.column;
  return changes.length === 0 && !isMoved ? "" : update(changes.join("") + cursorFrom(row, after));
}

/** The rows that a new frame changes if all others and the cursor stay in their rows; else undefined. */
export function changedInPlace(before: Frame, after: Frame): number[] | undefined {
  if (before.rows.length !== after.rows.length || before.cursor.row !== after.cursor.row) return undefined;
  return after.rows.flatMap((text, index) => (text === before.rows[index] ? [] : [index]));
}

/**
 * The bytes that paint a frame anew below lines, from its row `first` on, beginning `up` rows above the cursor. What is above stays as
 * it is.
 */
export function paintedAnew(up: number, lines: readonly string[], after: Frame, columns: number, first = 0): string {
  const rows = after.rows.slice(first).map((text) => unwrapped(text, columns));
  const text = [...lines, ...rows].join("\r\n");
  return update(`\r${moved(-up)}${eraseBelow}${text}${cursorFrom(after.rows.length - 1, after)}`);
}

/** Writes a row over another one, from the first character that differs. */
function rowChange(old: string, text: string, columns: number): string {
  let same = 0;
  while (same < old.length && old[same] === text[same] && isPlain(text, same)) same++;
  // A combining character belongs to the one before it.
  if (same > 0 && !(isPlain(old, same) && isPlain(text, same))) same--;
  const rest = unwrapped(text.slice(same), columns - same);
  // Terminals differ in the columns of characters beyond ASCII, so that the end of such a row is not where we count it.
  const isShorter = !isAscii(old + text) || visibleWidth(old) > visibleWidth(text);
  return `${csi}${same + 1}G${isShorter ? `${csi}K` : ""}${rest}`;
}

/** Whether the character is one that takes one column, or the text has ended. */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return Number.isNaN(code) || (code >= 0x20 && code < 0x7f);
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** A row that may be too long for the terminal is cut there, and not wrapped. */
function unwrapped(text: string, columns: number): string {
  return mayWrap(text, columns) ? `${csi}?7l${text}${csi}?7h` : text;
}

/** Terminals differ in the columns of emoji and marks. */
export function mayWrap(text: string, columns: number): boolean {
  return !isAscii(text) && columnsOf(stripVTControlCharacters(text)) > columns;
}

function cursorFrom(row: number, { cursor }: Frame): string {
  return `${moved(cursor.row - row)}${csi}${cursor.column + 1}G`;
}

/** Moves the cursor down by so many rows, or up. */
function moved(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `${csi}${rows}B` : `${csi}${-rows}A`;
}

/** Begins a command to the terminal. */
const csi = "\u001b[";

/** Erases from the beginning of a row on. Erased from the very first cell, tmux would keep what stood there in its scrollback. */
const eraseBelow = `${csi}K${csi}C${csi}J\r`;

/** The terminal shows the bytes at once, without its cursor wandering. */
function update(bytes: string): string {
  return `${csi}?2026h${csi}?25l${bytes}${csi}?25h${csi}?2026l`;
}

/**
 * Makes a text one row of at most so many columns, which changes nothing of the terminal but colours: what is longer is cut, and other
 * control characters become escapes that can be read.
 */
export function row(text: string, columns: number): string {
  const safe = text.replace(steering, (match) => (match === "\t" ? "   " : match.length > 1 ? match : escaped(match)));
  const fitting = visibleWidth(safe) > columns ? truncateToWidth(safe, columns, "…") : safe;
  return fitting.includes("\u001b") ? `${fitting}${csi}0m` : fitting;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of a terminal.
const steering = /\x1b\[[\d;:]*m|\p{Cc}/gu;

/**
 * The rows that a terminal makes of those above the cursor, and of that of the cursor, once it is so many columns wide. `isUnsure`: the
 * row was written when the terminal may have had its new width. Where it can be several numbers it is the lowest one: what is erased
 * must not be a row of what stays.
 */
export function rowsAbove(
  { rows, cursor }: Frame,
  { columns, isCursorWrapped, isUnsure }: { columns: number; isCursorWrapped: boolean; isUnsure(row: number): boolean },
): number {
  let count = isCursorWrapped && !isUnsure(cursor.row) ? Math.floor(cursor.column / columns) : 0;
  for (const [index, text] of rows.slice(0, cursor.row).entries()) count += isUnsure(index) ? 1 : rowsOf(text, columns);
  return count;
}

function rowsOf(text: string, columns: number): number {
  if (isAscii(text)) return Math.max(1, Math.ceil(visibleWidth(text) / columns));
  let rows = 1;
  let used = 0;
  for (const { segment } of clusters.segment(stripVTControlCharacters(text))) {
    const width = Math.min(visibleWidth(segment), isWide.test(segment) ? 2 : 1);
    if (used + width > columns) {
      rows++;
      used = 0;
    }
    used += width;
  }
  return rows;
}

const clusters = new Intl.Segmenter();

/** Characters that take two columns in every terminal. */
const isWide = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
