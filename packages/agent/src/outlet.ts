/** Thrown where a loop hands over events that nobody takes any more. */
export class ConsumerLeft extends Error {
  override readonly name = "ConsumerLeft";

  constructor() {
    super("The consumer left the iteration.");
  }
}

interface Pull<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** What waits until the consumer asks for more than it was given. */
interface Waiting {
  goOn(): void;
  leave(error: ConsumerLeft): void;
}

/**
 * Hands the events of a loop to its consumer, one a pull. The loop begins at the first pull, and goes on after it has given
 * events only when the consumer has taken them and asks for another one.
 */
export class Outlet<T> {
  readonly #loop: () => Promise<void>;
  #hasBegun = false;
  /** The end of the loop. */
  #ending: Promise<void> | undefined;
  #isOver = false;
  #hasLeft = false;
  /** The events that were given; those from `#next` on are not taken. */
  #events: readonly T[] = [];
  #next = 0;
  #waiting: Waiting | undefined;
  readonly #pulls: Pull<T>[] = [];

  /** @param loop its end is the end of the iteration; if it rejects, so does the pull that waits */
  constructor(loop: () => Promise<void>) {
    this.#loop = loop;
  }

  /**
   * Gives events. Resolves when the consumer asks for the event after them.
   *
   * @throws ConsumerLeft if that does not happen
   */
  put(...events: T[]): Promise<void> {
    return new Promise((goOn, leave) => this.give(events, { goOn, leave }));
  }

  /** As `put`, for a caller that would make a promise for each piece of text. */
  give(events: readonly T[], waiting: Waiting): void {
    if (this.#hasLeft) {
      waiting.leave(new ConsumerLeft());
    } else if (events.length === 0) {
      waiting.goOn();
    } else {
      this.#events = events;
      this.#next = 0;
      this.#waiting = waiting;
      this.#serve();
    }
  }

  /** The iteration's `next`. */
  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#pulls.push({ resolve, reject });
      this.#serve();
    });
  }

  /**
   * The iteration is left: the loop gets a ConsumerLeft where it gives events. Resolves when the loop has ended.
   *
   * @throws what the loop throws instead
   */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#events = [];
    if (!this.#hasBegun) this.#isOver = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.leave(new ConsumerLeft());
    await this.#ending;
  }

  #serve(): void {
    while (this.#pulls.length > 0) {
      const event = this.#events[this.#next];
      if (event === undefined) break;
      this.#next++;
      this.#pulls.shift()?.resolve({ done: false, value: event });
    }
    if (this.#pulls.length === 0) return;
    if (!this.#hasBegun) this.#begin();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.goOn();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#ending = this.#loop();
    const end = () => {
      this.#isOver = true;
      for (const { resolve } of this.#pulls.splice(0)) resolve({ done: true, value: undefined });
    };
    this.#ending.then(end, (error: unknown) => {
      this.#pulls.shift()?.reject(error);
      end();
    });
  }
}
