/** How much to do at once, so that a piece of work takes about as long as it should: by how long those before took. */
export interface StepSize {
  /** A whole number from 1 up. */
  amount(): number;
  /** Told how many milliseconds the last piece took. */
  took(elapsed: number): void;
}

/** @param target milliseconds */
export function createStepSize(target: number, { first, most }: { first: number; most: number }): StepSize {
  let amount = first;
  return {
    amount: () => Math.floor(amount),
    took(elapsed) {
      // One slow piece may be the machine's doing, and one quick piece an exception.
      const factor = Math.min(2, Math.max(1 / 4, target / elapsed));
      amount = Math.min(most, Math.max(1, amount * factor));
    },
  };
}
