import type { ReferenceOptions } from "./reference.ts";

/** A call of a block. */
export interface Call {
  /** The JSON text of `{"name","args"}`. */
  content: string;
  /** Its name as the model wrote it: of a string what stands between the quotes, escapes and all. */
  rawName: string;
  /** The text of its arguments as the model wrote them. */
  raw: string;
  /** The name is known where the arguments begin. */
  isNamedFirst: boolean;
  /** The character with which it is announced. */
  at: number;
}

/**
 * Reads a block whose first character other than white space stands at `from`. `announce` is told each call when it is
 * complete; `end` is the index after the closer, undefined where only the closer, or a part of it, is missing.
 *
 * @throws Refusal, Cut
 */
export type ReadBlock = (
  text: string,
  from: number,
  options: ReferenceOptions,
  announce: (call: Call) => void,
) => { end: number | undefined; repaired: boolean };
