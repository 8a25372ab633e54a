import type { Piece } from "@cogency/protocol/parts";

interface Entry {
  piece: Piece;
  size: number;
}

/** Pieces on their way to one follower, in order, those of one unit joined. Knows how much of each unit the follower has. */
export class WaitingPieces {
  #entries: Entry[] = [];
  /** Where in `#entries` the last piece of each unit of the latest run stands. */
  readonly #places = new Map<string, number>();
  #run: string | undefined;
  /** The characters of what waits. */
  #size = 0;
  /** How much of each unit was added, by its run and number, those that grew last at the end. */
  readonly #lengths = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get isTooLarge(): boolean {
    return this.#size > mostCharacters;
  }

  /** @returns false if a piece was left out because what stands before it is missing */
  add(pieces: readonly Piece[]): boolean {
    let isComplete = true;
    for (const piece of pieces) {
      if (this.#continues(piece)) this.#put(piece);
      else isComplete = false;
    }
    return isComplete;
  }

  /** Gives all that waits to the follower. */
  take(): Piece[] {
    const taken = this.#entries.map(({ piece }) => piece);
    this.#empty();
    return taken;
  }

  /** Drops all that waits. The follower then needs every unit from its beginning. */
  clear(): void {
    this.#empty();
    this.#lengths.clear();
  }

  #continues(piece: Piece): boolean {
    if (piece.type === "progress") return true;
    const unit = `${piece.unit} ${piece.run}`;
    const known = this.#lengths.get(unit) ?? 0;
    if (piece.offset > known) return false;
    this.#lengths.delete(unit);
    this.#lengths.set(unit, Math.max(known, piece.offset + piece.text.length));
    const [oldest] = this.#lengths.keys();
    if (this.#lengths.size > mostUnits && oldest !== undefined) this.#lengths.delete(oldest);
    return true;
  }

  #put(piece: Piece): void {
    // Pieces of one run must not pass those of another one.
    if (piece.run !== this.#run) this.#places.clear();
    this.#run = piece.run;
    const unit = piece.type === "progress" ? `of ${piece.call}` : String(piece.unit);
    const before = this.#entries[this.#places.get(unit) ?? -1];
    const joined = before && joinedPiece(before.piece, piece);
    const size = sizeOf(joined ?? piece);
    this.#size += size - (joined ? before.size : 0);
    if (joined) Object.assign(before, { piece: joined, size });
    else this.#places.set(unit, this.#entries.push({ piece, size }) - 1);
  }

  #empty(): void {
    this.#entries = [];
    this.#places.clear();
    this.#size = 0;
  }
}

/** Two pieces of one unit as one, if the second one begins within the first one or at its end, and reaches beyond it. */
function joinedPiece(first: Piece, second: Piece): Piece | undefined {
  if (second.type === "progress") return second;
  if (first.type === "progress" || first.type !== second.type) return undefined;
  const kept = second.offset - first.offset;
  if (kept < 0 || kept > first.text.length || kept + second.text.length < first.text.length) return undefined;
  return { ...second, offset: first.offset, text: first.text.slice(0, kept) + second.text };
}

/** Characters, about: a piece has some hundred beside its text. */
function sizeOf(piece: Piece): number {
  return 100 + (piece.type === "progress" ? (JSON.stringify(piece.update)?.length ?? 0) : piece.text.length);
}

const mostCharacters = 1_000_000;
/** Many more than a run writes at once. */
const mostUnits = 256;
