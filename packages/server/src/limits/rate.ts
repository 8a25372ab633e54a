/**
 * Lets each user do something `limit` times at once, and over time `limit` times in each `window`. Counts with one number a user,
 * for `mostUsers` at most: of more, those are forgotten who were not seen for the longest time.
 */
export class Rate {
  readonly #limit: number;
  readonly #window: number;
  readonly #mostUsers: number;
  /** When a user may do it `limit` times again, by `performance.now()`. The last seen comes last. */
  readonly #fullAt = new Map<string | undefined, number>();

  /** @param window milliseconds */
  constructor(limit: number, window: number, mostUsers = 100_000) {
    this.#limit = limit;
    this.#window = window;
    this.#mostUsers = mostUsers;
  }

  /** The number of users that are counted. */
  get users(): number {
    return this.#fullAt.size;
  }

  /**
   * Counts one use, unless there were too many.
   *
   * @returns 0, or the milliseconds until the next use
   */
  use(user: string | undefined): number {
    const now = performance.now();
    const before = Math.max(this.#fullAt.get(user) ?? now, now);
    const after = before + this.#window / this.#limit;
    const delay = after - now - this.#window;
    // A rounding error must not cost a use.
    const isOver = delay > 0.001;
    this.#fullAt.delete(user);
    this.#fullAt.set(user, isOver ? before : after);
    this.#forget(now);
    return isOver ? delay : 0;
  }

  /** Forgets users that may do it `limit` times again, and the longest unseen of too many. */
  #forget(now: number): void {
    for (const [user, fullAt] of this.#fullAt) {
      if (fullAt > now && this.#fullAt.size <= this.#mostUsers) return;
      this.#fullAt.delete(user);
    }
  }
}
