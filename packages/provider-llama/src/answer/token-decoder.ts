import type { LlamaModel, Token } from "node-llama-cpp";

/** A character of UTF-8 has four bytes at most, and a token one at least. */
const longestCharacter = 4;

/** Makes text of tokens. Those that hold a part of a character wait for the rest of it. */
export class TokenDecoder {
  readonly #model: LlamaModel;
  #before: Token[];
  #open: Token[] = [];

  /** @param before the last tokens of the prompt: whether a token begins with a space depends on them */
  constructor(model: LlamaModel, before: readonly Token[]) {
    this.#model = model;
    this.#before = before.slice(-longestCharacter);
  }

  write(token: Token): string {
    this.#open.push(token);
    const text = this.#text();
    if (text.endsWith("\u{fffd}") && this.#open.length < longestCharacter) return "";
    return this.#pass(text);
  }

  /** The text of an unfinished character: U+FFFD. */
  end(): string {
    return this.#open.length === 0 ? "" : this.#pass(this.#text());
  }

  #text(): string {
    return this.#model.detokenize(this.#open, true, this.#before);
  }

  #pass(text: string): string {
    this.#before = [...this.#before, ...this.#open].slice(-longestCharacter);
    this.#open = [];
    return text;
  }
}
