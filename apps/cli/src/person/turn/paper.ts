import type { Block } from "../../screen/screen.ts";

/** What a chat is printed on: lines that stay, and below them rows that are painted anew. */
export interface Paper {
  /** Prints lines permanently: they stay, and scroll away with the terminal. `Screen` writes them. */
  add(block: Block): void;
  /** Shows anew what may still change. */
  refresh(): void;
  /** Whether it shows colours. */
  readonly stream: NodeJS.WriteStream;
}
