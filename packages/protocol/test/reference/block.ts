import type { ReferenceOptions } from "./reference.ts";

/** A call of a block. */
export interface Call {
  /** The JSON text of `{"name","args"}`. */
  content: string;
  /** The name as the model wrote it: of a string, the text between the quotes, escapes included. */
  rawName: string;
  /** The text of its arguments as the model wrote them. */
  raw: string;
  /** Whether the name is known where the arguments begin. */
  isNamedFirst: boolean;
  /** The index of the character at which the call is announced. */
  at: number;
}

/**
 * Reads a block whose first character other than white space is at `from`. Calls `announce` with each call when it is
 * complete. `end` is the index after the closer; undefined if only the closer, or a part of it, is missing.
 *
 * @throws Refusal, Cut
 */
export type ReadBlock = (
  text: string,
  from: number,
  options: ReferenceOptions,
  announce: (call: Call) => void,
) => { end: number | undefined; repaired: boolean };
