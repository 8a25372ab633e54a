/**
 * What is done with events: each is looked at, and the last of them are held, so that none can be optimized away. Who
 * collected all of them would measure the garbage collector instead.
 */
export class Consumer {
  /** Contents of the calls. */
  readonly calls: string[] = [];
  /** Characters of all contents. */
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
