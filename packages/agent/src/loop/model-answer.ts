/**
 * The answer to one model request, pulled event by event. It ends in time whatever the provider does: 100 ms after the
 * request was aborted it is abandoned, and what the provider gives later is ignored.
 */
export class ModelAnswer<T> {
  /** Whether the request was aborted because the model's turn was complete. */
  wasCut = false;
  /** Why it failed: what the provider threw, or why an event is none. */
  failure: { cause: unknown } | undefined;
  readonly #request = new AbortController();
  readonly #signal: AbortSignal;
  readonly #check: (event: T) => void;
  readonly #events: AsyncIterator<T>;
  /** Resolves the open `next`. */
  #give: ((next: IteratorResult<T, undefined>) => void) | undefined;
  #isAbandoned = false;
  /** Whether the provider has ended the answer, or thrown. */
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed: (() => void) | undefined;

  /**
   * @param ask makes the request, which ends when its signal or `signal` aborts; it may throw
   * @param check throws for an event that is none
   */
  constructor(ask: (signal: AbortSignal) => AsyncIterable<T>, signal: AbortSignal, check: (event: T) => void) {
    this.#signal = signal;
    this.#check = check;
    if (signal.aborted) this.#follow();
    else signal.addEventListener("abort", this.#follow, { once: true });
    this.#events = iteratorOf(() => ask(this.#request.signal));
  }

  /** The next event, or the end, also of an answer that failed. Never rejects, and never resolves once the answer is closed. */
  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve) => {
      this.#give = resolve;
      if (this.#isAbandoned) this.#end();
      else nextOf(this.#events).then(this.#take, this.#fail);
    });
  }

  /** Aborts the request because the model's turn is complete: in `grace` milliseconds, or at once if that is 0. */
  cut(grace: number): void {
    if (this.#request.signal.aborted) return;
    if (grace > 0) {
      this.#timer ??= setTimeout(() => this.cut(0), grace);
      return;
    }
    this.wasCut = true;
    this.abort();
  }

  /** Aborts the request. Events that the provider gives in the next 100 ms still count. */
  abort(reason?: unknown): void {
    if (this.#request.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abandon, abortGrace);
    this.#request.abort(reason);
  }

  /** Ends the answer where it is. Resolves when the provider has ended it, after 100 ms at the latest. Never rejects. */
  async close(): Promise<void> {
    this.#give = undefined;
    this.#signal.removeEventListener("abort", this.#follow);
    if (!this.#isAbandoned && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#closed = resolve;
        this.abort();
        (async () => this.#events.return?.())().then(
          () => resolve(),
          () => resolve(),
        );
      });
    }
    this.#isAbandoned = true;
    clearTimeout(this.#timer);
  }

  readonly #take = (next: IteratorResult<T, undefined>): void => {
    if (!this.#give) return;
    if (typeof next !== "object" || next === null) {
      this.#fail(new TypeError("The provider's iterator gave something else than an object."));
      return;
    }
    if (next.done) {
      this.#isOver = true;
      this.#end();
      return;
    }
    try {
      this.#check(next.value);
    } catch (cause) {
      this.failure = { cause };
      this.#end();
      return;
    }
    this.#give(next);
    this.#give = undefined;
  };

  readonly #fail = (cause: unknown): void => {
    if (!this.#give) return;
    this.#isOver = true;
    this.failure = { cause };
    this.#end();
  };

  readonly #follow = (): void => this.abort(this.#signal.reason);

  readonly #abandon = (): void => {
    this.#isAbandoned = true;
    this.#closed?.();
    this.#end();
  };

  #end(): void {
    this.#give?.({ done: true, value: undefined });
    this.#give = undefined;
  }
}

/** Milliseconds that a provider may take to end after its request was aborted. */
const abortGrace = 100;

/** An error that `ask` throws is the first thing that the iterator gives. */
function iteratorOf<T>(ask: () => AsyncIterable<T>): AsyncIterator<T> {
  try {
    return ask()[Symbol.asyncIterator]();
  } catch (cause) {
    return { next: () => Promise.reject(cause) };
  }
}

/** Always a promise, of a result that is an object: iterators of providers may be written by hand. */
function nextOf<T>(events: AsyncIterator<T>): Promise<IteratorResult<T>> {
  try {
    return Promise.resolve(events.next());
  } catch (cause) {
    return Promise.reject(cause);
  }
}
