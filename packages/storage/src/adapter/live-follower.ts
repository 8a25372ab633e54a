import type { Piece } from "@cogency/protocol/parts";
import { WaitingPieces } from "./waiting-pieces.ts";

/** What a follower asks of its hub. */
export interface FollowedRoom {
  /** All that is open, from its beginning. Called at the first pull, and at the first one after pieces were dropped. */
  whole(): readonly Piece[];
  /** The same, for a follower that has found a hole. Empty where somebody has just asked. */
  again(): readonly Piece[];
  /** Called once, at the end. */
  leave(): void;
}

/** The iteration of one follower. */
export class LiveFollower implements AsyncIterableIterator<readonly Piece[], undefined, undefined> {
  readonly #room: FollowedRoom;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting = new WaitingPieces();
  readonly #pulls: ((result: Pulled) => void)[] = [];
  /** What is open must be given from its beginning: at first, and after pieces were dropped. */
  #needsWhole = true;
  #isOver = false;
  readonly #end = () => this.end();

  constructor(room: FollowedRoom, signal: AbortSignal | undefined) {
    this.#room = room;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#end, { once: true });
  }

  /** Adds pieces. Drops all that wait if they are too many, until the next pull. */
  take(pieces: readonly Piece[]): void {
    if (this.#isOver || this.#needsWhole) return;
    if (!this.#waiting.add(pieces)) this.#waiting.add(this.#room.again());
    this.#serve();
    if (!this.#waiting.isTooLarge) return;
    this.#waiting.clear();
    this.#needsWhole = true;
  }

  next(): Promise<Pulled> {
    if (this.#isOver) return Promise.resolve(over);
    if (this.#needsWhole) {
      this.#needsWhole = false;
      this.#waiting.add(this.#room.whole());
    }
    return new Promise((resolve) => {
      this.#pulls.push(resolve);
      this.#serve();
    });
  }

  return(): Promise<Pulled> {
    this.end();
    return Promise.resolve(over);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting.clear();
    this.#signal?.removeEventListener("abort", this.#end);
    this.#room.leave();
    for (const pull of this.#pulls.splice(0)) pull(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #serve(): void {
    if (this.#pulls.length === 0 || this.#waiting.isEmpty) return;
    this.#pulls.shift()?.({ done: false, value: this.#waiting.take() });
  }
}

type Pulled = IteratorResult<readonly Piece[], undefined>;

const over: Pulled = { done: true, value: undefined };
