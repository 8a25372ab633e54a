import { tokensIn } from "../tokens.ts";

/** A part of what a model reads, such as the system prompt, one tool, one text or one result. */
export interface Section {
  readonly kind: "tool" | "system" | "user" | "assistant" | "call" | "result";
  readonly text: string;
  /** The request asks to keep everything up to the end of this section in the cache. */
  readonly isMarked?: boolean;
}

/** One request to a model, as it came over the socket. */
export interface Asked {
  /** All that the model reads for it, in the order in which it reads. */
  readonly sections: readonly Section[];
  /** Bytes of the bodies or frames that the client has sent for it, without the headers of HTTP and of WebSocket. */
  readonly bytes: number;
  /** Tokens of the texts in these bytes. */
  readonly sent: number;
}

export function tokensOf(sections: readonly Section[]): number {
  return tokensIn(sections.reduce((sum, { text }) => sum + text.length, 0));
}
