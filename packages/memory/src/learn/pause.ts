/** After failures in a row: for how long nothing is tried, twice as long each time. Times are in seconds. */
export class Pause {
  readonly #clock: () => number;
  #failures = 0;
  #since = 0;
  #seconds = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    const passed = this.#clock() - this.#since;
    // A clock that was set back would make it longer.
    return this.#failures === 0 || passed < 0 || passed >= this.#seconds;
  }

  /**
   * Begins one.
   *
   * @param atLeast what the server asked for
   * @returns its seconds
   */
  failed(atLeast = 0): number {
    this.#since = this.#clock();
    this.#seconds = Math.min(Math.max(first * 2 ** this.#failures++, atLeast), longest);
    return this.#seconds;
  }

  succeeded(): void {
    this.#failures = 0;
  }
}

const first = 60;
const longest = 3600;
