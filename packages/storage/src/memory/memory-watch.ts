import type { KeyedChanges } from "./keyed-changes.ts";

/** Implements `Store.watch`. A run watches its conversation as long as it lives, so this is small. */
export class MemoryWatch implements AsyncIterableIterator<void, void, undefined> {
  readonly #changes: KeyedChanges;
  readonly #name: string;
  readonly #refuseIfClosed: () => void;
  readonly #signal: AbortSignal | undefined;
  /** Whether something has changed since the last yield. */
  #hasChanged = true;
  #isListening = false;
  #isOver = false;
  #onAbort: (() => void) | undefined;
  #pull: ((result: Promise<IteratorResult<void, void>>) => void) | undefined;

  constructor(changes: KeyedChanges, name: string, refuseIfClosed: () => void, signal: AbortSignal | undefined) {
    this.#changes = changes;
    this.#name = name;
    this.#refuseIfClosed = refuseIfClosed;
    this.#signal = signal;
  }

  next(): Promise<IteratorResult<void, void>> {
    if (this.#signal?.aborted) this.#end();
    if (!this.#isListening && !this.#isOver) {
      this.#isListening = true;
      this.#changes.listen(this.#name, this);
      if (this.#signal) this.#onAbort = () => this.#end();
      if (this.#onAbort) this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
    }
    if (this.#isOver || this.#hasChanged) return this.#result();
    return new Promise((resolve) => {
      this.#pull = resolve;
    });
  }

  async return(): Promise<IteratorResult<void, void>> {
    this.#end();
    return over;
  }

  /** Called at each change, and when the store is closed. */
  changed(): void {
    this.#hasChanged = true;
    this.#serve();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #result(): Promise<IteratorResult<void, void>> {
    if (this.#isOver) return over;
    this.#hasChanged = false;
    try {
      this.#refuseIfClosed();
    } catch (error) {
      this.#end();
      throw error;
    }
    return { done: false, value: undefined };
  }

  #serve(): void {
    const pull = this.#pull;
    this.#pull = undefined;
    pull?.(this.#result());
  }

  #end(): void {
    this.#isOver = true;
    this.#changes.forget(this.#name, this);
    if (this.#onAbort) this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#serve();
  }
}

const over: IteratorResult<void, void> = { done: true, value: undefined };
