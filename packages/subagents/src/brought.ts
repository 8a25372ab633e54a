import type { Content } from "@cogency/tools";

/** The content that calls have brought, by their arguments. A call that has not ended may still bring all that is possible. */
export class Brought {
  readonly #known = new WeakMap<object, readonly Content[]>();

  of(args: object, worst: readonly Content[]): readonly Content[] {
    return this.#known.get(args) ?? worst;
  }

  set(args: object, content: readonly Content[]): void {
    this.#known.set(args, content);
  }
}
