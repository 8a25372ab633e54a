import type { ThoughtTags } from "../prompt/prompt.ts";
import { heldBack } from "./held-back.ts";

/** A piece of an answer. */
export interface Piece {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/** Where the reader stands: before the first word, in the thought, in the space after it, or in the answer. */
type Place = "start" | "thought" | "after" | "answer";

/** Tells a thought at the beginning of an answer from the answer. Tags further on are text, such as that of a file which is quoted. */
export class ThoughtReader {
  readonly #tags: ThoughtTags;
  #place: Place;
  #held = "";

  /** @param isThinking whether the thought has begun in the prompt */
  constructor(tags: ThoughtTags, isThinking: boolean) {
    this.#tags = tags;
    this.#place = isThinking ? "thought" : "start";
  }

  get isThinking(): boolean {
    return this.#place === "thought";
  }

  write(piece: string): Piece[] {
    const text = this.#held + piece;
    this.#held = "";
    switch (this.#place) {
      case "start":
        return this.#start(text);
      case "thought":
        return this.#thought(text);
      case "after":
        return this.#after(text);
      default:
        return text === "" ? [] : [{ type: "text", text }];
    }
  }

  /** What was held back. */
  end(): Piece[] {
    const text = this.#held;
    this.#held = "";
    return text === "" ? [] : [{ type: this.#place === "thought" ? "reasoning" : "text", text }];
  }

  #start(text: string): Piece[] {
    const { open } = this.#tags;
    const begun = text.trimStart();
    if (begun.startsWith(open)) {
      this.#place = "thought";
      return this.write(begun.slice(open.length));
    }
    if (open.startsWith(begun)) return this.#hold(text);
    this.#place = "answer";
    return this.write(text);
  }

  #thought(text: string): Piece[] {
    const { close } = this.#tags;
    const at = text.indexOf(close);
    if (at === -1) {
      const held = heldBack(text, [close]);
      this.#held = text.slice(text.length - held);
      const thought = text.slice(0, text.length - held);
      return thought === "" ? [] : [{ type: "reasoning", text: thought }];
    }
    this.#place = "after";
    const rest = this.write(text.slice(at + close.length));
    return at === 0 ? rest : [{ type: "reasoning", text: text.slice(0, at) }, ...rest];
  }

  #after(text: string): Piece[] {
    const begun = text.trimStart();
    if (begun === "") return [];
    this.#place = "answer";
    return this.write(begun);
  }

  #hold(text: string): Piece[] {
    this.#held = text;
    return [];
  }
}
