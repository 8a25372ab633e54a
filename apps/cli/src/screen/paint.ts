import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** What stands at the foot of the screen: rows that no terminal wraps, and where the cursor is among them. */
export interface Frame {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The frame of a screen on which nothing is painted yet: the cursor stands at the beginning of a row. */
export const emptyFrame: Frame = { rows: [""], cursor: { row: 0, column: 0 } };

/**
 * The bytes that put lines for good above the foot of the screen, and turn its old frame into a new one. Both are written in one
 * synchronized update, so that no terminal shows a half of it.
 */
export function painted(before: Frame, lines: readonly string[], after: Frame): string {
  const body = lines.length > 0 ? repainted(before.cursor.row, lines, after) : changed(before, after);
  return body === "" ? "" : update(body);
}

/**
 * The bytes that paint a frame anew below lines, beginning `up` rows above the cursor. What is above stays as it is.
 */
export function paintedAnew(up: number, lines: readonly string[], after: Frame): string {
  return update(repainted(up, lines, after));
}

function repainted(up: number, lines: readonly string[], after: Frame): string {
  const text = [...lines, ...after.rows].join("\r\n");
  return `\r${moved(-up)}${csi}J${unwrapped(text)}${cursorFrom(after.rows.length - 1, after)}`;
}

/** Rewrites only the rows that differ. */
function changed(before: Frame, after: Frame): string {
  let row = before.cursor.row;
  let bytes = "";
  const to = (target: number) => {
    bytes += moved(target - row);
    row = target;
  };
  after.rows.forEach((text, index) => {
    const old = before.rows[index];
    if (old === text) return;
    if (old !== undefined) {
      to(index);
      bytes += rowChange(old, text);
      return;
    }
    to(index - 1);
    bytes += `\r\n${text}`;
    row = index;
  });
  if (after.rows.length < before.rows.length) {
    to(after.rows.length);
    bytes += `\r${csi}J`;
  }
  const isMoved = row !== after.cursor.row || before.cursor.column !== after.cursor.column;
  if (bytes === "" && !isMoved) return "";
  return unwrapped(bytes) + cursorFrom(row, after);
}

/** Writes a row over another one, from the first character that differs. */
function rowChange(old: string, text: string): string {
  let same = 0;
  while (same < old.length && same < text.length && old[same] === text[same] && isPlain(text, same)) same++;
  // A combining character belongs to the one before it.
  if (same > 0 && (!isPlain(text, same) || !isPlain(old, same))) same--;
  const rest = text.slice(same);
  const erased = visibleWidth(old) > visibleWidth(text) ? `${csi}K` : "";
  return `${csi}${same + 1}G${rest}${erased}`;
}

/** Whether the character is one that takes one column, or the text has ended. */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return Number.isNaN(code) || (code >= 0x20 && code < 0x7f);
}

/** Terminals differ in the columns of some characters. Without wrapping, a row that takes more than we think stays one row. */
function unwrapped(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of a terminal.
  return /[^\x1b\r\n\x20-\x7e]/.test(bytes) ? `${csi}?7l${bytes}${csi}?7h` : bytes;
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

/** The terminal shows the bytes at once, without its cursor wandering. */
function update(bytes: string): string {
  return `${csi}?2026h${csi}?25l${bytes}${csi}?25h${csi}?2026l`;
}

/** Cuts a row to so many columns, and ends its colours. */
export function row(text: string, columns: number): string {
  const fitting = visibleWidth(text) > columns ? truncateToWidth(text, columns, "…") : text;
  return fitting.includes("\u001b") ? `${fitting}\u001b[0m` : fitting;
}

/** The rows that the terminal makes of those above the cursor once it is so many columns wide. */
export function rowsAbove({ rows, cursor }: Frame, columns: number): number {
  let count = 0;
  for (const text of rows.slice(0, cursor.row)) count += Math.max(1, Math.ceil(visibleWidth(text) / columns));
  return count;
}
