import type { RunEvent } from "@cogency/protocol";
import { type CallPart, emptyView, type Piece, type View, withEvent, withPieces } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { diffOf } from "../show/diff-lines.ts";

/** Hears of a run in another process. */
export interface StoredTurnListener {
  /** What the run itself would tell. A text or a thought without a unit is whole. */
  event(event: RunEvent): void;
  /** The arguments of calls grow, or are complete. The text or the thought before them may still be open. */
  writing(event: RunEvent & { type: "call_delta" | "execute" }): void;
  /** The text, or the thought, whose pieces were told is complete. */
  settled(): void;
  /** The text, or the thought, whose pieces were told is not in the log, and never will be. */
  brokenOff(): void;
}

/** What was told of the unit that is being written. */
interface ToldUnit {
  readonly run: string;
  readonly unit: number;
  readonly type: "text" | "thinking";
  readonly text: string;
}

/**
 * Tells texts, thoughts and calls of a run of another process, from its stored events and the pieces of what it is writing, as a run of
 * this process tells them.
 *
 * INVARIANT: what was told of a unit is the beginning of what is stored of it, or it is told to have broken off.
 */
export class StoredTurn {
  readonly #listener: StoredTurnListener;
  #view: View = emptyView;
  #told: ToldUnit | undefined;
  /** How much was told of the arguments of each call that is being written, by its unit. */
  readonly #written = new Map<number, { readonly name: string; readonly length: number }>();

  constructor(listener: StoredTurnListener) {
    this.#listener = listener;
  }

  /** Reads the next stored event. */
  event(event: StoredEvent): void {
    const { stored } = this.#view;
    this.#view = withEvent(this.#view, event);
    if (event.type === "respond" || event.type === "think") this.#tellWhole(event);
    this.#tellOpen();
    this.#tellCalls(stored);
    if (event.type === "record" && event.kind === "run") this.#tellEnd();
  }

  /** Reads pieces. Those of what comes after a stored event come after that event. */
  pieces(pieces: readonly Piece[]): void {
    this.#view = withPieces(this.#view, pieces);
    this.#tellOpen();
    for (const piece of pieces) if (piece.type === "progress") this.#tellProgress(piece);
  }

  /** No run is at work: what was being written is lost. */
  ended(): void {
    const { seq, stored } = this.#view;
    this.#view = { ...emptyView, seq, stored, parts: stored };
    this.#tellOpen();
    this.#tellEnd();
  }

  #tellWhole({ type, content, timestamp }: StoredEvent & { type: "respond" | "think" }): void {
    const told = this.#told;
    const isTold = told !== undefined && told.type === partTypes[type] && content.startsWith(told.text);
    if (told && !isTold) this.#breakOff();
    this.#told = undefined;
    // Nobody has seen how long a thought took that comes whole.
    if (type === "think" && !isTold) return;
    const rest = isTold ? content.slice(told.text.length) : content;
    if (rest !== "") this.#tell({ type, content: rest, ...(isTold && { unit: told.unit }), timestamp });
    this.#listener.settled();
  }

  /** Tells what has grown since the last time. */
  #tellOpen(): void {
    const { run, unit: open, calls } = this.#view.open;
    if (this.#told && (this.#told.run !== run || this.#told.unit !== open?.unit)) this.#breakOff();
    if (open) {
      const { unit, part } = open;
      const news = part.content.slice(this.#told?.text.length ?? 0);
      this.#told = { run, unit, type: part.type, text: part.content };
      if (news !== "") this.#tell({ type: part.type === "text" ? "respond" : "think", content: news, unit });
    }
    const isOther = [...this.#written.keys()].some((unit) => !calls.some((call) => call.unit === unit));
    if (isOther) {
      this.#written.clear();
      this.#listener.writing({ type: "execute", timestamp: 0, run: noRun });
    }
    for (const call of calls) this.#tellWritten(call);
  }

  #tellWritten({ unit, part: { name, text = "" } }: View["open"]["calls"][number]): void {
    const known = this.#written.get(unit);
    if (known?.length === text.length && known.name === name) return;
    this.#written.set(unit, { name, length: text.length });
    const content = text.slice(known?.length ?? 0);
    this.#listener.writing({ type: "call_delta", index: unit, name, content, timestamp: 0, run: noRun });
  }

  #breakOff(): void {
    this.#told = undefined;
    this.#listener.brokenOff();
  }

  #tellProgress({ call: id, update }: Piece & { type: "progress" }): void {
    const call = this.#view.stored.findLast((part) => part.type === "call" && part.id === id);
    // Of many changes in one moment a single one would come.
    if (call?.type !== "call" || call.state !== "running" || diffOf(update) !== undefined) return;
    this.#tell({ type: "tool_progress", id, name: call.name, update });
  }

  /** Tells the calls that have begun or ended. */
  #tellCalls(before: View["stored"]): void {
    const { stored } = this.#view;
    if (stored === before) return;
    let from = 0;
    while (from < before.length && before[from] === stored[from]) from++;
    const states = new Map(callsIn(before, from).map((call, at) => [call.id ?? at, call.state]));
    callsIn(stored, from).forEach((call, at) => {
      const { id = "", name, args = {}, state, outcome, result, duration } = call;
      const was = states.get(call.id ?? at);
      if (state === was) return;
      if (state === "running") this.#tell({ type: "tool_started", id, name, args });
      if (state !== "done" || !outcome || !result) return;
      const started = duration !== undefined;
      this.#tell({ type: "tool_ended", id, name, args, started, outcome, result, duration: duration ?? 0 });
    });
  }

  #tellEnd(): void {
    this.#written.clear();
    this.#tell({ type: "run_ended", status: "stopped", usage: noUsage });
  }

  #tell(event: Told): void {
    this.#listener.event({ timestamp: 0, ...event, run: noRun });
  }
}

type Told = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, "run" | "timestamp"> & { timestamp?: number }
    : never
  : never;

const partTypes = { respond: "text", think: "thinking" } as const;
const noRun = { id: "", conversation: "", step: 0, order: 0 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function callsIn(parts: View["stored"], from: number): CallPart[] {
  return parts.slice(from).filter((part) => part.type === "call");
}
