import { styleText } from "node:util";
import {
  type AutocompleteProvider,
  CURSOR_MARKER,
  Editor,
  matchesKey,
  type TUI,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { widthOr } from "../../base/terminal/text.ts";
import type { Frame } from "../../screen/paint.ts";

/** The lines that a person types: several of them, with keys like Emacs, history, and pastes that are one marker. */
export class Input {
  readonly #stream: NodeJS.WriteStream;
  readonly #editor: LineEditor;
  readonly #earlier: string[] = [];
  #isPasting = false;
  #typedAt = Number.NEGATIVE_INFINITY;

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
    this.#editor.onSubmit = (text) => {
      this.#typedAt = Number.NEGATIVE_INFINITY;
      listener(withTabs(text));
    };
  }

  complete(provider: AutocompleteProvider): void {
    this.#editor.setAutocompleteProvider(provider);
  }

  key(given: string): void {
    this.#typedAt = performance.now();
    const data = this.#tabsKept(given);
    const before = matchesKey(data, "up") ? this.text : undefined;
    this.#editor.handleInput(data);
    if (before === undefined || before === this.text) return;
    // The editor goes to the beginning of an earlier prompt. One of a single row is edited at its end.
    if (this.frame(widthOr(this.#stream, 80)).rows.length === 1) this.#editor.handleInput(toTheEnd);
  }

  /** When the last key came, by the clock of `performance.now()`; long ago once the text was sent. */
  get typedAt(): number {
    return this.#typedAt;
  }

  /** Everything that was typed and pasted. */
  get text(): string {
    return withTabs(this.#editor.getExpandedText());
  }

  set text(text: string) {
    this.#editor.setText(withoutTabs(text));
  }

  /** Adds an earlier prompt, which the keys Up and Ctrl-R bring back. */
  remember(text: string): void {
    this.#earlier.push(text);
    this.#editor.addToHistory(withoutTabs(text));
  }

  /** The earlier prompts, the oldest first. */
  get earlier(): readonly string[] {
    return this.#earlier;
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** The tabs of a paste are text. Otherwise a tab is a key. */
  #tabsKept(data: string): string {
    if (data.includes("\u001b[200~")) this.#isPasting = true;
    const kept = this.#isPasting ? withoutTabs(data) : data;
    if (data.includes("\u001b[201~")) this.#isPasting = false;
    return kept;
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

/**
 * The editor turns a tab into four spaces, in the text, too. So it gets four characters that stand for nothing else (Unicode's
 * noncharacters), which are spaces on the screen.
 */
function withoutTabs(text: string): string {
  return text.replaceAll("\t", "\ufdd0\ufdd1\ufdd1\ufdd1");
}

function withTabs(text: string): string {
  return text.replace(/\ufdd0\ufdd1{0,3}/g, "\t").replaceAll("\ufdd1", " ");
}

/** The editor removes the other control characters from what is pasted. */
function harmless(text: string): string {
  return text.replace(/[\ufdd0\ufdd1]/g, " ").replace(/[\u0080-\u009f\p{Bidi_Control}]/gu, "\ufffd");
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
