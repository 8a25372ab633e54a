/** One field of a front matter, as it is written. */
export interface Entry {
  readonly field: string;
  /** Undefined for YAML that is neither a text, a number, a boolean, null nor arrays and objects of them, such as an alias. */
  readonly value: unknown;
  /** The line of the front matter that it is on, counted from 1. */
  readonly line: number;
  /** The line of a key of its value; that of the field if there is none. */
  lineOf?(key: string | undefined): number;
}
