import type { StoredEvent } from "@cogency/storage";
import type { TurnEnding } from "./turn-item.ts";

/** The messages of a turn, as the log says what became of them. */
export class ReadMessages {
  readonly #unread: Set<string>;
  #refusals: string[] = [];
  #accepted = 0;
  /** The number of the last event that took one of them. */
  #last = 0;

  constructor(ids: readonly string[]) {
    this.#unread = new Set(ids);
  }

  get unread(): ReadonlySet<string> {
    return this.#unread;
  }

  get last(): number {
    return this.#last;
  }

  /** Why none of them counts; undefined if one does, or if there are none. */
  get refusal(): string | undefined {
    return this.#accepted === 0 ? this.#refusals.at(-1) : undefined;
  }

  /** Returns the ending of the turn if it ends with this event. */
  read(event: StoredEvent): TurnEnding | undefined {
    if (event.type === "record" && event.kind === "message") this.#take(event.data, event.seq);
    return this.#accepted > 0 && this.#unread.size === 0 && event.seq > this.#last ? endingOfEvent(event) : undefined;
  }

  #take(data: unknown, seq: number): void {
    // A log from elsewhere may hold anything.
    const { id, refused } = (data ?? {}) as { id?: unknown; refused?: unknown };
    if (typeof id !== "string" || !this.#unread.delete(id)) return;
    this.#last = Math.max(this.#last, seq);
    if (typeof refused === "string") this.#refusals.push(refused);
    else this.#accepted++;
  }
}

/** How a run ended, if the event says that one has. */
export function endingOfEvent(event: StoredEvent): TurnEnding | undefined {
  if (event.type === "cancelled") return { status: "cancelled" };
  if (event.type !== "record" || event.kind !== "run") return undefined;
  const { status, stop, error } = (event.data ?? {}) as Partial<typeof event.data>;
  const why = status === "failed" ? error && { code: error.code, message: error.message } : undefined;
  const told = why ?? (stop && { code: stop.reason, message: stop.message });
  return { status: status === "stopped" || status === "failed" ? status : "completed", ...told };
}
