import type { AgentEvent } from "@cogency/protocol";
import { partialJson } from "@cogency/protocol/parts";
import type { Run, RunResult } from "../run.ts";

/** How a run for an object ended. */
export type ObjectResult<T> = RunResult & {
  /** The object; present if the status is `completed` and the answer fits the schema. */
  object?: T;
};

/** One run of an agent that answers with an object. It starts when `result` is read or `partials` are iterated. */
export interface ObjectRun<T> {
  /** The name of the conversation. */
  readonly conversation: string;
  /**
   * The object as far as it is written, whenever more of it is known: members and items that have not begun are missing, strings are
   * as long as they are so far, nothing is checked yet. A new attempt begins anew. Whoever is slow misses some, never the last.
   * Ends with the run and never throws; leaving it does not end the run.
   */
  readonly partials: AsyncIterable<PartialOf<T>>;
  /** Never rejects for a run that failed: `status` and `error` say so. */
  readonly result: Promise<ObjectResult<T>>;
}

/** A value of which anything may be missing. */
export type PartialOf<T> = T extends readonly (infer Item)[]
  ? PartialOf<Item>[]
  : T extends object
    ? { [Key in keyof T]?: PartialOf<T[Key]> }
    : T;

export class OwnObjectRun<T> implements ObjectRun<T> {
  readonly #run: Run;
  /** What the model has written of this attempt. */
  #text = "";
  /** Resolves when there is more, or the run is over. */
  #more = Promise.withResolvers<void>();
  #isOver = false;
  #result: Promise<ObjectResult<T>> | undefined;

  /** @param run has not begun, and yields pieces of text */
  constructor(run: Run) {
    this.#run = run;
  }

  get conversation(): string {
    return this.#run.conversation;
  }

  get result(): Promise<ObjectResult<T>> {
    this.#result ??= this.#read();
    return this.#result;
  }

  get partials(): AsyncIterable<PartialOf<T>> {
    return { [Symbol.asyncIterator]: () => this.#follow() };
  }

  async #read(): Promise<ObjectResult<T>> {
    try {
      for await (const event of this.#run) this.#take(event);
    } catch {
      // The result holds the error.
    }
    this.#isOver = true;
    this.#more.resolve();
    return (await this.#run.result) as ObjectResult<T>;
  }

  #take(event: AgentEvent): void {
    if (event.type === "respond") this.#text += event.content;
    // What comes after calls, or after the model was told what was wrong, is another text.
    else if (event.type === "user" || event.type === "result") this.#text = "";
    else return;
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }

  async *#follow(): AsyncGenerator<PartialOf<T>, undefined> {
    void this.result;
    let shown = "";
    for (let read = 0; ; ) {
      const { promise } = this.#more;
      const isOver = this.#isOver;
      const text = this.#text;
      // Reading it anew costs its length, so it must have grown by a part of that.
      const isWorth = text.length < read || text.length - read > read / 32 || isOver;
      if (isWorth && text !== "") {
        read = text.length;
        const partial = partialJson(text.slice(Math.max(0, text.search(/[[{"]/))));
        const now = JSON.stringify(partial);
        if (now !== undefined && now !== shown) {
          shown = now;
          yield partial as PartialOf<T>;
        }
      }
      if (isOver) return undefined;
      if (text === this.#text && !this.#isOver) await promise;
    }
  }
}
