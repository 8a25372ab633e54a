import type { Piece } from "@cogency/protocol/parts";

/** What waits to be sent of one conversation. */
export interface Outbox {
  add(pieces: readonly Piece[]): void;
  /** What is open is sent from its beginning, too: somebody has joined or has lost pieces. */
  needWhole(): void;
  /** Whether anything is left to take, now or later. */
  readonly isWaiting: boolean;
  take(): Piece[];
  /** Drops all that waits. */
  clear(): [];
}

/** @param whole all that is open */
export function createOutbox(whole: () => readonly Piece[]): Outbox {
  let waiting: Piece[] = [];
  let size = 0;
  let needsWhole = false;
  /** Nothing is added until what is open is sent from its beginning. */
  let isDropping = false;
  let lastWhole = -shortestWhole;

  return {
    add(pieces) {
      if (isDropping) return;
      for (const piece of pieces) {
        const last = waiting.at(-1);
        const joined = last && joinedPiece(last, piece);
        if (joined) waiting[waiting.length - 1] = joined;
        else waiting.push(piece);
        size += sizeOf(piece);
      }
      if (size <= mostCharacters) return;
      [waiting, size] = [[], 0];
      isDropping = true;
      needsWhole = true;
    },

    needWhole() {
      needsWhole = true;
    },

    get isWaiting() {
      return needsWhole || waiting.length > 0;
    },

    take() {
      const taken = waiting;
      [waiting, size] = [[], 0];
      // Many who join one after another must not have all that is open sent with each frame.
      const isDue = needsWhole && performance.now() - lastWhole >= shortestWhole;
      if (!isDue) return taken;
      [needsWhole, isDropping] = [false, false];
      lastWhole = performance.now();
      return [...taken, ...whole()];
    },

    clear() {
      [waiting, size] = [[], 0];
      [needsWhole, isDropping] = [false, false];
      return [];
    },
  };
}

/** Two pieces as one, if the second one goes on where the first one ends. */
function joinedPiece(first: Piece, second: Piece): Piece | undefined {
  if (first.run !== second.run) return undefined;
  if (first.type === "progress") return second.type === "progress" && second.call === first.call ? second : undefined;
  if (second.type !== first.type || second.unit !== first.unit) return undefined;
  if (second.offset !== first.offset + first.text.length) return undefined;
  return { ...second, offset: first.offset, text: first.text + second.text };
}

/** Characters, about. */
function sizeOf(piece: Piece): number {
  return piece.type === "progress" ? 1_000 : 100 + piece.text.length;
}

/** That wait for one statement: more than a second of a model that writes fast. */
const mostCharacters = 1_000_000;
/** Milliseconds between two times in which what is open is sent. */
const shortestWhole = 250;
