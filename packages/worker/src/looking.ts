/**
 * Runs one look at a time. A look that is asked for while one runs begins after it, once, however many ask: the one that runs may
 * have missed what they saw.
 */
export class Looking {
  readonly #look: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param look must not reject */
  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  /** Resolves when a look that began after this call has ended. */
  look(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    this.#next = this.#running.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  /** Resolves when no look runs that has begun by now. */
  async ended(): Promise<void> {
    await this.#running;
  }

  #begin(): Promise<void> {
    this.#running = this.#look().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
