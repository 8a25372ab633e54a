import { stripVTControlCharacters, styleText } from "node:util";
import { visible } from "../../base/terminal/text.ts";

/** What a line is about: the word with which it begins. */
export type LineKind =
  | "you"
  | "agent"
  | "thinking"
  | "call"
  | "result"
  | "output"
  | "change"
  | "plan"
  | "question"
  | "answer"
  | "note"
  | "warning"
  | "error"
  | "usage"
  | "ready";

/**
 * Writes lines that a screen reader can read in their order: each begins with a word that says what it is about, and further lines of
 * the same text are indented. Nothing that was written is changed, and no escape sequence but colour is used.
 */
export class PlainOutput {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Writes a text under a word. */
  say(kind: LineKind, text: string): void {
    this.#write(kind, visible(stripVTControlCharacters(text)));
  }

  /** Writes rows, which may hold colours, under a word. Their text must have passed the filter for control characters. */
  rows(kind: LineKind, rows: readonly string[]): void {
    this.#write(kind, rows.join("\n"));
  }

  /** Writes a further line of a text. */
  goOn(line: string): void {
    this.#stream.write(`  ${visible(stripVTControlCharacters(line))}\n`);
  }

  #write(kind: LineKind, text: string): void {
    const [first = "", ...rest] = text.trimEnd().split("\n");
    const word = styleText(styles[kind] ?? "bold", `${kind}:`, { stream: this.#stream });
    this.#stream.write([`${word} ${first}`.trimEnd(), ...rest.map((line) => `  ${line}`.trimEnd()), ""].join("\n"));
  }
}

const styles: Partial<Record<LineKind, "red" | "yellow" | "cyan" | "dim">> = {
  error: "red",
  warning: "yellow",
  question: "yellow",
  call: "cyan",
  result: "cyan",
  thinking: "dim",
  note: "dim",
  usage: "dim",
  ready: "dim",
};
