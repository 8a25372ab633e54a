import type { Json } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";

/** The latest progress of the calls that run. */
export class RunningCalls {
  /** By the id of the call. */
  readonly #latest = new Map<string, { update: Json; isSent: boolean }>();

  /** A call runs, and says how far it is. */
  progress(call: string, update: Json): void {
    this.#latest.set(call, { update, isSent: false });
  }

  /** Whether the call has said something that was not sent yet. */
  hasNews(call: string): boolean {
    return this.#latest.get(call)?.isSent === false;
  }

  /** The call runs no more. */
  end(call: string): void {
    this.#latest.delete(call);
  }

  /** As `OpenUnits.pieces`. */
  pieces(place: { run: string; seq: number }, isWhole: boolean): { pieces: Piece[]; sent(): void } {
    const pieces: Piece[] = [];
    const changes: (() => void)[] = [];
    for (const [call, latest] of this.#latest) {
      if (latest.isSent && !isWhole) continue;
      changes.push(() => Object.assign(latest, { isSent: true }));
      const update = bounded(latest.update);
      if (update !== undefined) pieces.push({ type: "progress", ...place, call, update });
    }
    const sent = () => {
      for (const change of changes) change();
    };
    return { pieces, sent };
  }

  clear(): void {
    this.#latest.clear();
  }
}

/** Characters of an update, as JSON where it is no string. */
const longest = 10_000;

/**
 * A copy of the update, which the tool may change. The beginning of a string that is too long; undefined for another value that is,
 * because a part of it may mean something else.
 */
function bounded(update: Json): Json | undefined {
  if (typeof update === "string") return update.slice(0, longest).toWellFormed();
  try {
    const text = JSON.stringify(update);
    return text.length > longest ? undefined : (JSON.parse(text) as Json);
  } catch {
    // Of a tool without types.
    return undefined;
  }
}
