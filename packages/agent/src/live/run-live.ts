import { startTimer, type Timer } from "@cogency/async";
import type { Piece } from "@cogency/protocol/parts";
import type { Key, LivePublisher, Store } from "@cogency/storage";
import type { ToolEvent } from "@cogency/tools/host";
import type { ConversationLog } from "../log/conversation-log.ts";
import { OpenUnits } from "./open-units.ts";
import { RunningCalls } from "./running-calls.ts";
import type { Writing } from "./writing.ts";

/** What of the log the pieces depend on. */
type LogState = Pick<ConversationLog, "last" | "isSettling">;

/**
 * Shows what a run writes to whoever watches its conversation. It streams nothing: a few times a second it looks at what is open, and
 * publishes what has grown.
 *
 * INVARIANT: a piece of something has a `seq` below that of its own stored event, and not below that of any event which settled
 * something before it. So no frame is made while what has settled is on its way to the store.
 * INVARIANT: nothing here fails or delays the run. A store whose `live` throws is asked again later, and one that is slow is asked less
 * often.
 */
export class RunLive {
  readonly #live: () => Store["live"];
  readonly #key: Key;
  readonly #run: string;
  readonly #log: LogState;
  readonly #units = new OpenUnits();
  readonly #calls = new RunningCalls();
  #writing: Writing | undefined;
  #publisher: LivePublisher | undefined;
  #isClosed = false;
  /** Runs between two frames. */
  #rest: Timer | undefined;
  /** Whether something may have changed since the last frame. */
  #isDue = false;
  /** Somebody needs all that is open, which could not be given at once. */
  #needsWhole = false;

  /** @param run its id */
  constructor(store: Pick<Store, "live">, key: Key, run: string, log: LogState) {
    this.#live = () => store.live;
    this.#key = key;
    this.#run = run;
    this.#log = log;
  }

  /** Called when the run has its lease. */
  begin(): void {
    if (this.#isClosed) return;
    try {
      this.#publisher = this.#live().publisher(this.#key, () => this.#whole());
    } catch {
      // Screens wait for what is stored.
    }
  }

  /** Called when the run is over. */
  close(): void {
    this.#isClosed = true;
    this.#rest?.stop();
    this.#writing = undefined;
    this.#calls.clear();
    try {
      this.#publisher?.close();
    } catch {
      // Nothing of the run depends on it.
    }
    this.#publisher = undefined;
  }

  /** Whether somebody watches. */
  get isFollowed(): boolean {
    try {
      return this.#publisher?.isFollowed ?? false;
    } catch {
      return false;
    }
  }

  /** A step begins to write, or has ended. */
  watch(writing: Writing | undefined): void {
    this.#writing = writing;
  }

  /** Something was written. The first time it is shown at once, later with the next frame. */
  changed(): void {
    if (this.#rest) this.#isDue = true;
    else if (this.#publisher) this.#frame();
  }

  /** Sees what happens to the calls of the run. */
  see(event: ToolEvent): void {
    if (event.type === "progress") {
      this.#calls.progress(event.call.id, event.update);
      this.changed();
    }
    if (event.type !== "completed") return;
    const { id } = event.execution;
    // The last word of a call does not wait for the next frame, when the call has ended.
    if (this.#publisher && this.#calls.hasNews(id)) this.#frame();
    this.#calls.end(id);
  }

  #frame(): void {
    const begun = performance.now();
    this.#isDue = false;
    const rest = this.isFollowed ? this.#publish() : unwatched;
    const took = performance.now() - begun;
    if (rest > 0 || took > 1) this.#restFor(Math.max(rest, took * mostShare));
  }

  /** Publishes what has grown. Returns the milliseconds until the next frame; 0 if there was nothing. */
  #publish(): number {
    const made = this.#pieces(this.#needsWhole);
    this.#isDue = made === undefined;
    if (!made) return betweenFrames;
    this.#needsWhole = false;
    if (made.pieces.length === 0) return 0;
    try {
      this.#publisher?.publish(made.pieces);
      made.sent();
    } catch {
      this.#isDue = true;
    }
    return betweenFrames;
  }

  #restFor(milliseconds: number): void {
    this.#rest?.stop();
    this.#rest = startTimer(milliseconds, () => {
      this.#rest = undefined;
      if (this.#isDue) this.#frame();
    });
  }

  /** All that is open, for somebody who has come, or has lost pieces. */
  #whole(): Piece[] {
    if (this.#isClosed) return [];
    const made = this.#pieces(true);
    if (!made) this.#needsWhole = true;
    this.#isDue = true;
    // Whoever asks is watching from now on.
    this.#restFor(betweenFrames);
    return made?.pieces ?? [];
  }

  /** Undefined where no piece can say what it comes after. */
  #pieces(isWhole: boolean): { pieces: Piece[]; sent(): void } | undefined {
    if (this.#log.isSettling) return undefined;
    const place = { run: this.#run, seq: this.#log.last };
    const writing = this.#writing;
    const units = writing ? this.#units.pieces(writing, place, isWhole) : nothing;
    // A call may run before it is stored, when no screen has it.
    const calls = !writing || writing.hasExecuted ? this.#calls.pieces(place, isWhole) : nothing;
    return {
      pieces: [...units.pieces, ...calls.pieces],
      sent() {
        units.sent();
        calls.sent();
      },
    };
  }
}

const nothing: { pieces: readonly Piece[]; sent(): void } = { pieces: [], sent() {} };

/** Milliseconds: less than 30 frames a second. */
const betweenFrames = 34;

/** Milliseconds between two looks whether somebody has begun to watch. Whoever does is given what is open at once. */
const unwatched = 250;

/** A frame that took long is followed by this many times as much rest, so that it costs the run a tenth of its time at most. */
const mostShare = 9;
