/**
 * One iteration of several that are waited for together. It is asked for its next value once, and the value stays here until it is taken:
 * whoever waits leaves nothing behind on an iteration that is quiet, as `Promise.race` would with each wait.
 */
export class Pulled<T> {
  readonly #iterator: AsyncIterator<T>;
  readonly #wake: () => void;
  #asked: Promise<void> | undefined;
  #outcome: { result: IteratorResult<T> } | { error: unknown } | undefined;

  /** @param wake called whenever a value has come, the iteration has ended, or it has failed */
  constructor(values: AsyncIterable<T>, wake: () => void) {
    this.#iterator = values[Symbol.asyncIterator]();
    this.#wake = wake;
  }

  /** Asks for the next value, unless it was asked for before and not taken. */
  ask(): void {
    this.#asked ??= this.#iterator.next().then(
      (result) => this.#keep({ result }),
      (error: unknown) => this.#keep({ error }),
    );
  }

  /** The value that has come; undefined if none has. Throws what the iteration threw. */
  take(): IteratorResult<T> | undefined {
    const outcome = this.#outcome;
    if (!outcome) return undefined;
    this.#outcome = this.#asked = undefined;
    if ("error" in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Ends the iteration. */
  async close(): Promise<void> {
    await Promise.all([this.#iterator.return?.(), this.#asked]);
  }

  #keep(outcome: { result: IteratorResult<T> } | { error: unknown }): void {
    this.#outcome = outcome;
    this.#wake();
  }
}
