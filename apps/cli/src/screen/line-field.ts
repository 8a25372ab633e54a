import { CURSOR_MARKER, Input, visibleWidth } from "@earendil-works/pi-tui";

/** One line that a person types, with keys like Emacs and pastes. */
export class LineField {
  readonly #prompt: string;
  readonly #input: Input;

  /** `prompt` stands before the line. */
  constructor(prompt: string) {
    this.#prompt = prompt;
    this.#input = new Input({ prompt });
    this.#input.focused = true;
  }

  get text(): string {
    return this.#input.getValue();
  }

  set text(text: string) {
    this.#input.setValue(text);
  }

  key(data: string): void {
    this.#input.handleInput(data);
  }

  /** The row, and the column of the terminal's cursor. */
  row(columns: number): { text: string; column: number } {
    const [row = ""] = this.#input.render(columns);
    const at = row.indexOf(CURSOR_MARKER);
    if (at < 0) return { text: row.trimEnd(), column: visibleWidth(this.#prompt) };
    // The terminal's own cursor stands where the field paints one.
    const [, under = "", rest = ""] = paintedCursor.exec(row.slice(at + CURSOR_MARKER.length)) ?? [];
    return { text: `${row.slice(0, at)}${under}${rest}`.trimEnd(), column: visibleWidth(row.slice(0, at)) };
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of a terminal.
const paintedCursor = /^\x1b\[7m(.*?)\x1b\[27m(.*)$/s;
