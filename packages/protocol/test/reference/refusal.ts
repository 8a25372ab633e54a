// Thrown and always caught again by the reference itself: no errors, because recording where they come from is slow.

/** No valid block can continue as this one does: `malformed_execute`. */
export class Refusal {
  /** Where what is wrong begins: of a number that is too large its first digit, of an escape its backslash. */
  readonly from: number;
  /** The character with which it is known to be wrong. */
  readonly at: number;
  /** The character with which it must be told at the latest. */
  readonly last: number;
  /** What is wrong is a string, which may be checked as late as its call closes (P6), and is told to be there. */
  readonly inString: boolean;

  constructor(at: number, { from = at, last = at, inString = false }: Partial<Omit<Refusal, "at">> = {}) {
    this.at = at;
    this.from = from;
    this.last = last;
    this.inString = inString;
  }
}

/** The text ends inside of what is a valid beginning so far: `truncated_execute`. */
export class Cut {
  readonly isCut = true;
}
