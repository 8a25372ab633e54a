/**
 * Finds the longest pieces that texts share with one given text, in time that grows with the lengths alone: a suffix automaton of the
 * given text, whose states the other texts walk through.
 */
export class SharedPiece {
  readonly #text: string;
  readonly #next: Map<string, number>[] = [new Map()];
  readonly #link: number[] = [-1];
  readonly #length: number[] = [0];
  #last = 0;

  constructor(text: string) {
    this.#text = text;
    for (const unit of text.split("")) this.#add(unit);
  }

  /** The longest piece of the given text that stands in this one; empty if they share nothing. The first one of several. */
  longestIn(text: string): string {
    let state = 0;
    let length = 0;
    let longest = 0;
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text[at] as string;
      let next = this.#next[state]?.get(unit);
      while (next === undefined && state !== 0) {
        state = this.#link[state] as number;
        length = this.#length[state] as number;
        next = this.#next[state]?.get(unit);
      }
      if (next === undefined) continue;
      state = next;
      length++;
      if (length <= longest) continue;
      longest = length;
      end = at + 1;
    }
    return text.slice(end - longest, end);
  }

  get text(): string {
    return this.#text;
  }

  #add(unit: string): void {
    const state = this.#push((this.#length[this.#last] as number) + 1, 0, new Map());
    let at = this.#last;
    this.#last = state;
    while (at !== -1 && !this.#next[at]?.has(unit)) {
      this.#next[at]?.set(unit, state);
      at = this.#link[at] as number;
    }
    if (at === -1) return;
    const known = this.#next[at]?.get(unit) as number;
    const length = (this.#length[at] as number) + 1;
    if (this.#length[known] === length) {
      this.#link[state] = known;
      return;
    }
    const copy = this.#push(length, this.#link[known] as number, new Map(this.#next[known]));
    while (at !== -1 && this.#next[at]?.get(unit) === known) {
      this.#next[at]?.set(unit, copy);
      at = this.#link[at] as number;
    }
    this.#link[known] = copy;
    this.#link[state] = copy;
  }

  #push(length: number, link: number, next: Map<string, number>): number {
    this.#length.push(length);
    this.#link.push(link);
    return this.#next.push(next) - 1;
  }
}
