/** How much work to do in one step, adapted so that each step takes about the same time. */
export interface StepSize {
  /** The amount for the next step: a whole number ≥ 1. */
  amount(): number;
  /** Must be called with the milliseconds that the last step took. */
  took(elapsed: number): void;
}

/** @param target milliseconds that one step should take */
export function createStepSize(target: number, { first, most }: { first: number; most: number }): StepSize {
  let amount = first;
  return {
    amount: () => Math.floor(amount),
    took(elapsed) {
      // Limits the change: one slow or quick step may be an exception.
      const factor = Math.min(2, Math.max(1 / 4, target / elapsed));
      amount = Math.min(most, Math.max(1, amount * factor));
    },
  };
}
