import { plainText } from "./plain-text.ts";

/** Milliseconds: some terminals ask the person first. */
const patience = 10_000;
/** Characters of an answer. */
const longest = 8 * 1024 * 1024;

const begins = "\u001b]52;";

/**
 * Asks a terminal for the text in its clipboard (OSC 52). An answer that was not asked for is passed over, and never typed.
 */
export class TerminalClipboard {
  readonly #write: (bytes: string) => void;
  readonly #patience: number;
  #answer = "";
  #waiting: { settle(text: string | undefined): void; timer: NodeJS.Timeout } | undefined;

  constructor(write: (bytes: string) => void, time = patience) {
    this.#write = write;
    this.#patience = time;
  }

  /** The text; undefined if the terminal gives none, refuses, or does not know the question. */
  ask(): Promise<string | undefined> {
    this.#settle(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiting = { settle: resolve, timer: setTimeout(() => this.#settle(undefined), this.#patience) };
    this.#write("\u001b]52;c;?\u0007");
    return promise;
  }

  /** Takes what comes from the terminal. Returns whether it belongs to an answer; else it is a key. */
  take(data: string): boolean {
    const goesOn = this.#answer !== "";
    if (!goesOn && !data.startsWith(begins)) return false;
    if (goesOn && data.startsWith("\u001b") && data !== "\u001b\\") {
      // Another key: the answer was cut off.
      this.#answer = "";
      this.#settle(undefined);
      return data.startsWith(begins) ? this.take(data) : false;
    }
    this.#answer += data;
    const [, base64] = wholeAnswer.exec(this.#answer) ?? [];
    if (base64 !== undefined) {
      this.#answer = "";
      this.#settle(plainText(Buffer.from(base64, "base64")) || undefined);
    } else if (data.endsWith("\u0007") || data.endsWith("\\") || this.#answer.length > longest) {
      this.#answer = "";
      this.#settle(undefined);
    }
    return true;
  }

  #settle(text: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.settle(text);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of a terminal.
const wholeAnswer = /^\x1b\]52;[a-z0-9]*;([A-Za-z0-9+/]*={0,2})(?:\x07|\x1b\\)$/;
