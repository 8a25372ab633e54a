import { widthOr } from "../base/terminal/text.ts";
import { changedInPlace, emptyFrame, type Frame, mayWrap, painted, paintedAnew, row, rowsAbove } from "./paint.ts";
import type { Reflow } from "./reflow.ts";

/** The part of a terminal that a screen writes to. */
export interface ScreenOutput {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

/** Lines in a width of so many columns. */
export type Block = (columns: number) => readonly string[];

/** What the foot of the screen shows, in a width of so many columns, in at most so many rows. */
export type Foot = (columns: number, rows: number) => Frame;

/** Milliseconds. A frame is painted at most this often. */
const frameTime = 16;
/** Milliseconds after the last change of size until the foot is painted again: terminals resize in many steps. */
const resizeTime = 60;
/** Milliseconds that bytes, and the news of a new size, may be on their way between here and the terminal. */
const wayTime = 150;

/**
 * A terminal as a page that only grows. Blocks are written once, and belong to the terminal from then on, which scrolls and reflows
 * them as it does with the output of any program. Only the foot below them is painted again.
 *
 * INVARIANT: every block is written once, whole, and in order, even if the terminal is resized meanwhile.
 * INVARIANT: nothing above the foot is erased; neither the screen nor its scrollback is cleared.
 */
export class Screen {
  readonly #output: ScreenOutput;
  readonly #foot: Foot;
  readonly #reflow: Reflow;
  #due: Block[] = [];
  #frame: Frame = emptyFrame;
  /** The columns for which the frame was painted. */
  #columns = 0;
  /** When rows of the frame were last written over what stood there. */
  #writtenOver = new Map<number, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paintedAt = 0;
  #resizedAt: number | undefined;
  #isOpen = false;

  /** `reflow`: what the terminal wraps anew when its width changes. */
  constructor(output: ScreenOutput, foot: Foot, reflow: Reflow) {
    this.#output = output;
    this.#foot = foot;
    this.#reflow = reflow;
  }

  /** Begins at the cursor, which must stand at the beginning of a row. */
  open(): void {
    this.#isOpen = true;
    this.#resizedAt = undefined;
    this.#frame = emptyFrame;
    this.refresh();
  }

  /** Adds a block above the foot. */
  add(block: Block): void {
    this.#due.push(block);
    this.refresh();
  }

  /** Paints what has changed, within the time of a frame. */
  refresh(): void {
    if (!this.#isOpen || this.#timer) return;
    const wait = Math.max(0, this.#paintedAt + frameTime - performance.now());
    this.#timer = setTimeout(() => this.flush(), wait);
  }

  /** The size of the terminal has changed. Nothing is painted until it has kept its size for a moment. */
  resized(): void {
    if (!this.#isOpen) return;
    this.#resizedAt ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), resizeTime);
  }

  /** Paints now. */
  flush(): void {
    if (this.#isOpen) this.#paint(this.#foot);
  }

  /** Writes what is due, removes the foot, and leaves the cursor at the beginning of the row after the last block. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#resizedAt ??= performance.now();
    this.#paint(() => emptyFrame);
  }

  #paint(foot: Foot): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const columns = Math.max(4, widthOr(this.#output, 80));
    const most = Math.max(3, this.#output.rows || 24) - 1;
    const lines = this.#due.flatMap((block) => block(columns)).map((line) => row(line, columns));
    this.#due = [];
    const after = fitting(foot(columns, most), columns, most);
    const now = performance.now();
    const isAnew = this.#resizedAt !== undefined;
    const bytes = isAnew
      ? paintedAnew(this.#rowsAbove(columns), lines, after, columns)
      : painted(this.#frame, lines, after, columns);
    const inPlace = isAnew || lines.length > 0 ? undefined : changedInPlace(this.#frame, after);
    if (inPlace === undefined) this.#writtenOver.clear();
    for (const index of inPlace ?? []) this.#writtenOver.set(index, now);
    this.#resizedAt = undefined;
    this.#frame = after;
    this.#columns = columns;
    this.#paintedAt = now;
    if (bytes !== "") this.#output.write(bytes);
  }

  #rowsAbove(columns: number): number {
    const { rows, cursor } = this.#frame;
    if (this.#reflow === "nothing" || columns >= this.#columns) return cursor.row;
    const since = (this.#resizedAt ?? 0) - wayTime;
    const isUnsure = (index: number) =>
      (this.#writtenOver.get(index) ?? Number.NEGATIVE_INFINITY) > since || mayWrap(rows[index] ?? "", this.#columns);
    return rowsAbove(this.#frame, { columns, isCursorWrapped: this.#reflow === "all", isUnsure });
  }
}

/** Keeps the last rows of a foot that is too high, so that all of it is on the screen. */
function fitting({ rows, cursor }: Frame, columns: number, most: number): Frame {
  const cut = Math.max(0, Math.min(rows.length - most, cursor.row));
  const shown = rows.slice(cut, cut + most).map((text) => row(text, columns));
  const last = Math.max(0, shown.length - 1);
  return {
    rows: shown.length === 0 ? [""] : shown,
    cursor: { row: Math.min(last, cursor.row - cut), column: Math.min(columns - 1, Math.max(0, cursor.column)) },
  };
}
