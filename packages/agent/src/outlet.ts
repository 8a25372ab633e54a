import type { PausableTimer } from "@cogency/async";

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
  /** Is not collected as garbage while the pull waits. */
  holder: object | undefined;
}

/** What waits until the consumer asks for more than it was given. */
interface Waiting {
  goOn(): void;
  leave(error: ConsumerLeft): void;
}

/** Makes what the consumer takes of what the loop gives. */
export interface Marker<G, T> {
  /** Whether anything is to be made. If not, the consumer takes what is given. */
  readonly isHeard: boolean;
  mark(given: G): T;
}

/** The time of a loop, which stops while the loop waits for its consumer. */
type Pace = Pick<PausableTimer, "pause" | "resume">;

/**
 * Hands the events of a loop to its consumer, one a pull. The loop begins at the first pull, and goes on after it has given
 * events only when the consumer has taken them and asks for another one. `G` is what the loop gives, `T` what the consumer
 * takes.
 */
export class Outlet<G, T = G> {
  readonly #loop: () => Promise<void>;
  readonly #marker: Marker<G, T> | undefined;
  #hasBegun = false;
  /** The end of the loop. */
  #ending: Promise<void> | undefined;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #hasLeft = false;
  /** The events that were given; those from `#next` on are not taken. */
  #events: readonly T[] = [];
  /** The same list, if it is the outlet's own. */
  #own: T[] | undefined;
  #next = 0;
  #waiting: Waiting | undefined;
  #pace: Pace | undefined;
  #isPaused = false;
  /** The pull that waits for an event. */
  #pull: Pull<T> | undefined;
  /** Pulls after it, of a consumer that does not wait for each event. */
  #laterPulls: Pull<T>[] | undefined;

  /**
   * @param loop its end is the end of the iteration, after the events that are not taken yet; if it rejects, so does the pull
   * after them
   * @param marker is asked when events are given
   */
  constructor(loop: () => Promise<void>, marker?: Marker<G, T>) {
    this.#loop = loop;
    this.#marker = marker;
  }

  /**
   * Gives events. Resolves when the consumer asks for the event after them.
   *
   * @throws ConsumerLeft if that does not happen
   */
  async put(...events: G[]): Promise<void> {
    await this.give(events);
  }

  /** As `put`, without a promise where the consumer asks for more already. Throws ConsumerLeft at once if nobody takes the events. */
  give(events: readonly G[]): Promise<void> | undefined {
    if (this.#hasLeft || this.#isOver) throw new ConsumerLeft();
    if (events.length === 0) return undefined;
    const marker = this.#marker;
    this.#queue(marker?.isHeard ? events.map((event) => marker.mark(event)) : (events as readonly unknown[] as T[]));
    this.#serve();
    if (this.#pull) return undefined;
    return new Promise((goOn, leave) => {
      this.#waiting = { goOn, leave };
      this.#keepPace();
    });
  }

  /** Gives an event that nothing waits for. It comes after those that were given before. */
  offer(event: T): void {
    if (this.#hasLeft || this.#isOver) return;
    this.#queue([event]);
    this.#serve();
  }

  /** Stops this time, from now on, while the loop waits for the consumer. */
  pace(pace: Pace): void {
    this.#pace = pace;
    this.#keepPace();
  }

  #keepPace(): void {
    const isWaiting = this.#waiting !== undefined;
    if (!this.#pace || isWaiting === this.#isPaused) return;
    this.#isPaused = isWaiting;
    if (isWaiting) this.#pace.pause();
    else this.#pace.resume();
  }

  /**
   * The iteration's `next`.
   *
   * @param holder is not collected as garbage until the event has come
   */
  next(holder?: object): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const pull = { resolve, reject, holder };
      if (this.#pull) {
        this.#laterPulls ??= [];
        this.#laterPulls.push(pull);
      } else this.#pull = pull;
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
    this.#own = undefined;
    if (!this.#hasBegun) this.#isOver = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#keepPace();
    waiting?.leave(new ConsumerLeft());
    await this.#ending;
  }

  #queue(events: readonly T[]): void {
    const left = this.#events.length - this.#next;
    // A copy drops at least half of the events, so that many small gifts to a slow consumer are not copied again and again.
    if (left > 0 && this.#own && this.#next <= left) {
      for (const event of events) this.#own.push(event);
      return;
    }
    this.#own = left > 0 ? [...this.#events.slice(this.#next), ...events] : undefined;
    this.#events = this.#own ?? events;
    this.#next = 0;
  }

  #serve(): void {
    while (this.#pull && this.#next < this.#events.length) {
      const value = this.#events[this.#next++] as T;
      const { resolve } = this.#pull;
      this.#pull = this.#laterPulls?.shift();
      resolve({ done: false, value });
    }
    if (!this.#pull) return;
    if (this.#isOver) {
      this.#end();
      return;
    }
    if (!this.#hasBegun) {
      // What the loop gives before it first waits is served by `give`.
      this.#begin();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#keepPace();
    waiting?.goOn();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#ending = this.#loop();
    const end = () => {
      this.#isOver = true;
      this.#serve();
    };
    this.#ending.then(end, (error: unknown) => {
      // `leave` throws it.
      if (!this.#hasLeft) this.#failure = { error };
      end();
    });
  }

  /** Ends the pulls that wait. The first one after a failure gets its error. */
  #end(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) this.#pull?.reject(failure.error);
    else this.#pull?.resolve({ done: true, value: undefined });
    for (const { resolve } of this.#laterPulls ?? []) resolve({ done: true, value: undefined });
    this.#pull = this.#laterPulls = undefined;
  }
}
