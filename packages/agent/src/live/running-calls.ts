import type { Json } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { ToolEvent } from "@cogency/tools/host";

/** The latest progress of the calls that run. */
export class RunningCalls {
  /** By the id of the call. */
  readonly #latest = new Map<string, { update: Json; isSent: boolean }>();

  /** @returns whether there is something to send */
  see(event: ToolEvent): boolean {
    if (event.type === "completed") this.#latest.delete(event.execution.id);
    if (event.type !== "progress") return false;
    this.#latest.set(event.call.id, { update: event.update, isSent: false });
    return true;
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
