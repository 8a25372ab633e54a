import type { Piece } from "@cogency/protocol/parts";

/** Pieces that wait for one follower, and its iteration. */
export class LiveFollower implements AsyncIterableIterator<readonly Piece[], undefined, undefined> {
  readonly #whole: () => readonly Piece[];
  readonly #leave: () => void;
  readonly #signal: AbortSignal | undefined;
  #waiting: Piece[] = [];
  /** The characters of what waits. */
  #size = 0;
  /** What is open must be given from its beginning: at first, and after pieces were dropped. */
  #needsWhole = true;
  #isOver = false;
  #pull: ((result: IteratorResult<readonly Piece[], undefined>) => void) | undefined;
  readonly #end = () => this.end();

  /** @param leave called once, at the end */
  constructor(whole: () => readonly Piece[], leave: () => void, signal: AbortSignal | undefined) {
    this.#whole = whole;
    this.#leave = leave;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#end, { once: true });
  }

  /** Adds pieces, or drops all that wait if they are too many. */
  take(pieces: readonly Piece[]): void {
    if (this.#isOver || (this.#needsWhole && !this.#pull)) return;
    for (const piece of pieces) this.#add(piece);
    if (this.#size > mostCharacters) {
      this.#waiting = [];
      this.#size = 0;
      this.#needsWhole = true;
    }
    this.#serve();
  }

  next(): Promise<IteratorResult<readonly Piece[], undefined>> {
    if (this.#isOver) return Promise.resolve(over);
    if (this.#needsWhole) {
      this.#needsWhole = false;
      for (const piece of this.#whole()) this.#add(piece);
    }
    return new Promise((resolve) => {
      this.#pull = resolve;
      this.#serve();
    });
  }

  return(): Promise<IteratorResult<readonly Piece[], undefined>> {
    this.end();
    return Promise.resolve(over);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#signal?.removeEventListener("abort", this.#end);
    this.#leave();
    this.#serve();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #add(piece: Piece): void {
    const last = this.#waiting.at(-1);
    const joined = last && joinedPiece(last, piece);
    if (joined) this.#waiting[this.#waiting.length - 1] = joined;
    else this.#waiting.push(piece);
    this.#size += sizeOf(piece);
  }

  #serve(): void {
    if (!this.#pull || (!this.#isOver && this.#waiting.length === 0)) return;
    const pull = this.#pull;
    this.#pull = undefined;
    if (this.#isOver) return pull(over);
    const value = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    pull({ done: false, value });
  }
}

/** Two pieces as one, if the second one goes on where the first one ends. */
function joinedPiece(first: Piece, second: Piece): Piece | undefined {
  if (first.run !== second.run) return undefined;
  if (first.type === "progress" || second.type === "progress") {
    const isSame = first.type === second.type && "update" in first && "update" in second && first.call === second.call;
    return isSame ? second : undefined;
  }
  const isNext = first.unit === second.unit && first.offset + first.text.length === second.offset;
  return isNext ? { ...second, offset: first.offset, text: first.text + second.text } : undefined;
}

/** Characters, about: a piece of progress counts as a short text. */
function sizeOf(piece: Piece): number {
  return 100 + (piece.type === "progress" ? JSON.stringify(piece.update).length : piece.text.length);
}

const mostCharacters = 1_000_000;

const over: IteratorResult<readonly Piece[], undefined> = { done: true, value: undefined };
