// The reference throws these and always catches them. They are not errors, because recording a stack trace is slow.

/** No valid block begins like this one: `malformed_execute`. */
export class Refusal {
  /** The index at which the fault begins: of a number that is too large its first digit, of an escape its backslash. */
  readonly from: number;
  /** The index of the character that makes the fault certain. */
  readonly at: number;
  /** The index of the character at which it must be reported at the latest. */
  readonly last: number;
  /** Whether the fault is in a string, which may be checked and reported as late as its call closes (P6). */
  readonly inString: boolean;

  constructor(at: number, { from = at, last = at, inString = false }: Partial<Omit<Refusal, "at">> = {}) {
    this.at = at;
    this.from = from;
    this.last = last;
    this.inString = inString;
  }
}

/** The text ends, and is a valid beginning of a block: `truncated_execute`. */
export class Cut {
  readonly isCut = true;
}
