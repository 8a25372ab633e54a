/**
 * Those who follow something. They are told that it has changed: at once for the first change, as a microtask, so that what changes
 * together is told together; then at most once in a frame, because the events of a long log come one by one, and each telling may draw a
 * page.
 */
export class Followers {
  readonly #listeners = new Set<() => void>();
  readonly #onFirst: () => void;
  readonly #onLeft: () => void;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;
  #toldAt = 0;

  /** @param onLeft called when nobody has followed for a while: a page that draws its view anew follows again at once */
  constructor(onFirst: () => void, onLeft: () => void) {
    this.#onFirst = onFirst;
    this.#onLeft = onLeft;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Returns what ends it. */
  add(listener: () => void): () => void {
    // The same function may come twice.
    const own = () => listener();
    clearTimeout(this.#leaving);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#onFirst();
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.#leaving = setTimeout(this.#onLeft, patience);
    };
  }

  tell(): void {
    if (this.#isDue || this.#listeners.size === 0) return;
    this.#isDue = true;
    const wait = this.#toldAt + frame - Date.now();
    if (wait > 0 && wait <= frame) setTimeout(() => this.#tellAll(), wait);
    else queueMicrotask(() => this.#tellAll());
  }

  #tellAll(): void {
    this.#isDue = false;
    this.#toldAt = Date.now();
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        // The others hear of it all the same, and the platform tells of the error.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** Milliseconds. */
const frame = 16;

/** Milliseconds without a follower. */
const patience = 100;
