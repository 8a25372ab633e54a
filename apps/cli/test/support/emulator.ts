import xterm from "@xterm/headless";

/** A terminal in this process, which executes bytes. */
export interface Emulator {
  readonly columns: number;
  readonly rows: number;
  /** Resolves when the bytes have been executed. */
  write(bytes: string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Calls a listener with what the terminal answers to the questions of programs. */
  onAnswer(listener: (data: string) => void): void;
  /** The lines of the scrollback and the screen; rows that the terminal has wrapped are one line. */
  lines(): string[];
  /** The rows of the screen as they are. */
  screen(): string[];
  /** Where the cursor is; `row` counts from the beginning of the scrollback. */
  readonly cursor: { readonly row: number; readonly column: number };
}

export function emulator(columns: number, rows: number): Emulator {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
  const rowAt = (y: number) => terminal.buffer.active.getLine(y)?.translateToString(true).trimEnd() ?? "";
  return {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    resize: (cols, height) => terminal.resize(cols, height),
    onAnswer: (listener) => void terminal.onData(listener),
    lines() {
      const { active } = terminal.buffer;
      const all: string[] = [];
      for (let y = 0; y < active.length; y++) {
        const isWrapped = active.getLine(y)?.isWrapped && all.length > 0;
        // A row that goes on in the next one is whole, with the spaces at its end.
        const goesOn = active.getLine(y + 1)?.isWrapped ?? false;
        const text = active.getLine(y)?.translateToString(!goesOn) ?? "";
        if (isWrapped) all[all.length - 1] += text;
        else all.push(text);
      }
      return all.map((text) => text.trimEnd());
    },
    screen: () => Array.from({ length: terminal.rows }, (_, y) => rowAt(terminal.buffer.active.baseY + y)),
    get cursor() {
      const { cursorX, cursorY, baseY } = terminal.buffer.active;
      return { row: baseY + cursorY, column: cursorX };
    },
  };
}
