/** Lets each user hold so many things at one time. Users that hold none take no memory. */
export class Places {
  readonly #limit: number;
  readonly #held = new Map<string | undefined, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of users that hold something. */
  get users(): number {
    return this.#held.size;
  }

  /** Returns what gives the place back, however often it is called; undefined if the user holds too many. */
  take(user: string | undefined): (() => void) | undefined {
    const held = this.#held.get(user) ?? 0;
    if (held >= this.#limit) return undefined;
    this.#held.set(user, held + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(user);
      isHeld = false;
    };
  }

  #giveBack(user: string | undefined): void {
    const left = (this.#held.get(user) ?? 1) - 1;
    if (left > 0) this.#held.set(user, left);
    else this.#held.delete(user);
  }
}
