import type { Block } from "../screen/screen.ts";

/** Where a chat is shown. */
export interface Page {
  /** Adds lines for good. */
  add(block: Block): void;
  /** Shows anew what may still change. */
  refresh(): void;
  /** Whether it shows colours. */
  readonly stream: NodeJS.WriteStream;
}
