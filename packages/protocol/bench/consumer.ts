/**
 * Consumes events: looks at each, and holds the last ones, so that the engine cannot optimize any away. A consumer that
 * collected all of them would measure the garbage collector instead.
 */
export class Consumer {
  /** The contents of the calls. */
  readonly calls: string[] = [];
  /** The number of characters in all contents. */
  length = 0;
  readonly #last: object[] = new Array<object>(256).fill({});
  #count = 0;

  take(event: { type: string; content?: string; timestamp?: number; unit?: number }): void {
    this.#last[this.#count++ & 255] = event;
    if (event.content === undefined) return;
    this.length += event.content.length;
    if (event.type === "call") this.calls.push(event.content);
  }
}
