/** What a person types, as far as a question has to know it. */
export interface Draft {
  /** What the editor holds. */
  readonly text: string;
  /** When a key went into the editor last, by the clock of `performance.now()`; long ago once the text was sent. */
  readonly typedAt: number;
}

/** The time, and what happens later. */
export interface Clock {
  now(): number;
  /** Calls `work` after so many milliseconds, unless the function that it returns is called first. */
  after(milliseconds: number, work: () => void): () => void;
}

interface Takers {
  /** Reads a key as an answer. Returns whether it was one. */
  answer(key: string): boolean;
  /** Puts a key into the editor. */
  type(key: string): void;
}

/** Milliseconds without another key, after which nobody is typing. */
const typingPause = 1000;
/** Milliseconds in which nobody can have read what has just appeared: a letter that comes sooner may be the first one of a text. */
const readingTime = 700;
/** Milliseconds for which such a letter waits for another one. It is an answer if it stays alone. */
const aloneTime = 400;
/** Milliseconds in which a key that has answered is the same press, or one too many. */
const bounceTime = 300;

/**
 * Decides whether a key answers the question that stands, or belongs to a text that is being typed.
 *
 * INVARIANT: no key of a text answers, be it the first one: neither while the editor holds a text, nor just after another key.
 */
export class AnswerKeys {
  readonly #takers: Takers;
  readonly #clock: Clock;
  #shownAt = Number.NEGATIVE_INFINITY;
  #answered: { readonly key: string; readonly at: number } | undefined;
  #waiting: { readonly key: string; stop(): void } | undefined;

  constructor(takers: Takers, clock: Clock) {
    this.#takers = takers;
    this.#clock = clock;
  }

  /** What can be answered has appeared just now. */
  shown(): void {
    this.#shownAt = this.#clock.now();
  }

  /** The question has closed: a letter that waits belongs to a text. */
  closed(): void {
    const key = this.forget();
    if (key !== undefined) this.#takers.type(key);
  }

  /** Forgets the letter that waits, and returns it. */
  forget(): string | undefined {
    const waiting = this.#waiting;
    waiting?.stop();
    this.#waiting = undefined;
    return waiting?.key;
  }

  isTyping(draft: Draft): boolean {
    return draft.text !== "" || this.#clock.now() - draft.typedAt < typingPause;
  }

  /** Returns whether the key was taken; else it belongs to the text. */
  key(key: string, draft: Draft): boolean {
    const first = this.forget();
    if (first !== undefined) {
      // Enter ends a lone answer; another letter makes a text of it.
      const isAnswer = key === "\r" && this.#answer(first);
      if (!isAnswer) this.#takers.type(first);
      return isAnswer;
    }
    if (this.isTyping(draft)) return false;
    const now = this.#clock.now();
    if (key === this.#answered?.key && now - this.#answered.at < bounceTime) return true;
    if (now - this.#shownAt >= readingTime || !isLetter(key)) return this.#answer(key);
    const stop = this.#clock.after(aloneTime, () => {
      this.#waiting = undefined;
      if (!this.#answer(key)) this.#takers.type(key);
    });
    this.#waiting = { key, stop };
    return true;
  }

  #answer(key: string): boolean {
    const isTaken = this.#takers.answer(key);
    if (!isTaken) return false;
    this.#answered = { key, at: this.#clock.now() };
    this.shown();
    return true;
  }
}

function isLetter(key: string): boolean {
  return /^\p{L}$/u.test(key);
}
