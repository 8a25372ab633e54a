/** Runs what concerns a name one after another, in the order of asking. Different names do not wait for one another. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves and rejects as `work`. What came before may have failed. */
  async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name);
    const running = before ? before.then(work, work) : work();
    this.#last.set(name, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(name) === running) this.#last.delete(name);
    }
  }
}
