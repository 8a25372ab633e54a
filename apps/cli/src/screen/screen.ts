import { emptyFrame, type Frame, painted, paintedAnew, row, rowsAbove } from "./paint.ts";

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

/**
 * A terminal as a page that only grows. Blocks are written once, and belong to the terminal from then on, which scrolls and reflows
 * them as it does with the output of any program. Only the foot below them is painted again.
 *
 * INVARIANT: every block is written once, whole, and in order, whatever the terminal is resized to meanwhile.
 * INVARIANT: nothing above the foot is erased; neither the screen nor its scrollback is cleared.
 */
export class Screen {
  readonly #output: ScreenOutput;
  readonly #foot: Foot;
  readonly #reflows: boolean;
  #due: Block[] = [];
  #frame: Frame = emptyFrame;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paintedAt = 0;
  #isResized = false;
  #isOpen = false;

  /** `reflows`: whether the terminal wraps rows that are too long for its new width, as most do. */
  constructor(output: ScreenOutput, foot: Foot, reflows: boolean) {
    this.#output = output;
    this.#foot = foot;
    this.#reflows = reflows;
  }

  /** Begins at the cursor, which must stand at the beginning of a row. */
  open(): void {
    this.#isOpen = true;
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

  /** The size of the terminal has changed. */
  resized(): void {
    if (!this.#isOpen) return;
    this.#isResized = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), resizeTime);
  }

  /** Paints now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOpen) return;
    const { columns, rows } = this.#size();
    const lines = this.#due.flatMap((block) => block(columns)).map((line) => row(line, columns));
    this.#due = [];
    const after = fitting(this.#foot(columns, rows - 1), columns, rows - 1);
    const bytes = this.#isResized
      ? paintedAnew(this.#rowsAbove(columns), lines, after)
      : painted(this.#frame, lines, after);
    this.#isResized = false;
    this.#frame = after;
    this.#paintedAt = performance.now();
    if (bytes !== "") this.#output.write(bytes);
  }

  /** Writes what is due, removes the foot, and leaves the cursor at the beginning of the row after the last block. */
  close(): void {
    if (!this.#isOpen) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOpen = false;
    const { columns } = this.#size();
    const lines = this.#due.flatMap((block) => block(columns)).map((line) => row(line, columns));
    this.#due = [];
    this.#output.write(paintedAnew(this.#rowsAbove(columns), lines, emptyFrame));
    this.#frame = emptyFrame;
  }

  #rowsAbove(columns: number): number {
    const { cursor } = this.#frame;
    return this.#isResized && this.#reflows ? rowsAbove(this.#frame, columns) : cursor.row;
  }

  #size(): { columns: number; rows: number } {
    return { columns: Math.max(4, this.#output.columns), rows: Math.max(3, this.#output.rows) };
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
