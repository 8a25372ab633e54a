import { styleText } from "node:util";
import {
  type AutocompleteProvider,
  CURSOR_MARKER,
  Editor,
  matchesKey,
  type TUI,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { Frame } from "../../screen/paint.ts";

/** The lines that a person types: several of them, with keys like Emacs, history, and pastes that are one marker. */
export class Input {
  readonly #stream: NodeJS.WriteStream;
  readonly #editor: LineEditor;
  readonly #earlier: string[] = [];

  constructor(stream: NodeJS.WriteStream, refresh: () => void) {
    this.#stream = stream;
    const dim = (text: string) => styleText("dim", text, { stream });
    const same = (text: string) => text;
    const bold = (text: string) => styleText("bold", text, { stream });
    // The editor asks its screen for its height, and to be painted again.
    const screen = {
      requestRender: refresh,
      terminal: {
        get rows() {
          return stream.rows || 24;
        },
      },
    } as unknown as TUI;
    this.#editor = new LineEditor(
      screen,
      {
        borderColor: same,
        selectList: { selectedPrefix: bold, selectedText: bold, description: dim, scrollInfo: dim, noMatch: dim },
      },
      { paddingX: 2, autocompleteMaxVisible: 6 },
    );
    this.#editor.focused = true;
  }

  set onSubmit(listener: (text: string) => void) {
    this.#editor.onSubmit = listener;
  }

  complete(provider: AutocompleteProvider): void {
    this.#editor.setAutocompleteProvider(provider);
  }

  key(data: string): void {
    const before = matchesKey(data, "up") ? this.text : undefined;
    this.#editor.handleInput(data);
    if (before === undefined || before === this.text) return;
    // The editor goes to the beginning of an earlier prompt. One of a single row is edited at its end.
    if (this.frame(this.#stream.columns || 80).rows.length === 1) this.#editor.handleInput(toTheEnd);
  }

  /** Everything that was typed and pasted. */
  get text(): string {
    return this.#editor.getExpandedText();
  }

  set text(text: string) {
    this.#editor.setText(text);
  }

  /** Adds an earlier prompt, which the keys Up and Ctrl-R bring back. */
  remember(text: string): void {
    this.#earlier.push(text);
    this.#editor.addToHistory(text);
  }

  /** The earlier prompts, the oldest first. */
  get earlier(): readonly string[] {
    return this.#earlier;
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** The rows, and where the cursor is. */
  frame(columns: number): Frame {
    const rows = this.#editor.render(columns).filter((text) => text !== "");
    let cursor = { row: 0, column: 2 };
    const shown = rows.map((text, row) => {
      const at = text.indexOf(CURSOR_MARKER);
      if (at < 0) return text.trimEnd();
      cursor = { row, column: visibleWidth(text.slice(0, at)) };
      // The terminal's own cursor stands there.
      const [, under = "", rest = ""] = cursorCell.exec(text.slice(at + CURSOR_MARKER.length)) ?? [];
      return `${text.slice(0, at)}${under}${rest}`.trimEnd();
    });
    const first = rows.length > 0 && this.#editor.isScrolled ? "…" : ">";
    return { rows: shown.map((text, row) => harmless(row === 0 ? `${first} ${text.slice(2)}` : text)), cursor };
  }
}

const toTheEnd = "\u0005";

/** The editor removes the other control characters from what is pasted. */
function harmless(text: string): string {
  return text.replace(/[\u0080-\u009f\p{Bidi_Control}]/gu, "\ufffd");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the editor paints its cursor with these.
const cursorCell = /^\x1b\[7m(.*?)\x1b\[0m(.*)$/s;

class LineEditor extends Editor {
  /** Whether lines above are hidden. */
  isScrolled = false;

  protected override renderTopBorder(_width: number, hidden: number): string {
    this.isScrolled = hidden > 0;
    return "";
  }

  protected override renderBottomBorder(): string {
    return "";
  }
}
