import { startTimer } from "@cogency/async";
import type { Key, StoredEvent } from "@cogency/storage";
import type { BridgeStore } from "./bridge.ts";
import { ReadMessages } from "./read-messages.ts";
import type { Recoveries, Recovery } from "./recoveries.ts";
import type { TurnEnding } from "./turn-item.ts";
import { deleted, endingOfLook, lookAt, type TurnLook } from "./turn-look.ts";

export interface Watched {
  store: BridgeStore;
  key: Key;
  recoveries: Recoveries;
  /** Hears why a run of this process failed. */
  onError(error: unknown): void;
}

/**
 * Finds out when a turn is over: by its events, by what came of the run of this process, and by the store, each second in which nothing
 * comes. Then it also goes on with the conversation, in case the process that was at work has died.
 */
export class TurnWatch {
  readonly #watched: Watched;
  readonly #after: number;
  readonly #messages: ReadMessages;
  readonly #wake: () => void;
  readonly #timer: { refresh(): void; stop(): void };
  readonly #stopListening: () => void;
  #over: { ending: TurnEnding; at: number } | undefined;
  /** What came of the last try of this process, and the last number of the log then. */
  #tried: { recovery: Recovery; at?: number } | undefined;
  #failure: { error: unknown } | undefined;
  #looked: Pick<TurnLook, "last" | "retryAt"> = { last: 0, retryAt: undefined };
  #looking: Promise<void> | undefined;
  #isStale = false;
  /** Nothing has come for a while. */
  #isQuiet = false;
  /** The last number of the log at tries that have changed nothing. */
  #stalled = { at: -1, times: 0 };
  /** How often another run has held the conversation since the last event, and when to ask again, in Unix milliseconds. */
  #held = { times: 0, askAt: 0 };
  #isClosed = false;

  /** @param wake called whenever the turn may be over */
  constructor(watched: Watched, after: number, ids: readonly string[], wake: () => void) {
    this.#watched = watched;
    this.#after = after;
    this.#messages = new ReadMessages(ids);
    this.#wake = wake;
    this.#timer = startTimer(quietTime, () => void this.#goOn());
    this.#stopListening = watched.recoveries.listen(watched.key, (recovery) => void this.#hear(recovery));
    void this.#look();
  }

  /**
   * How the turn has ended, once everything before its end was read.
   *
   * @param seen the number of the last event that was read
   * @throws what the store has thrown
   */
  endingAt(seen: number): TurnEnding | undefined {
    if (this.#failure) throw this.#failure.error;
    return this.#over && seen >= this.#over.at ? this.#over.ending : undefined;
  }

  /** Something was read, which may be an event. */
  see(event?: StoredEvent): void {
    this.#timer.refresh();
    this.#isQuiet = false;
    if (!event) return;
    this.#held = { times: 0, askAt: 0 };
    const ending = this.#messages.read(event);
    if (ending) this.#over = { ending, at: event.seq };
    else if (event.seq > this.#looked.last && mayEnd(event)) void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer.stop();
    this.#stopListening();
  }

  get #isSettled(): boolean {
    return this.#isClosed || this.#over !== undefined || this.#failure !== undefined;
  }

  async #hear(recovery: Recovery): Promise<void> {
    this.#tried = { recovery };
    if (recovery.type === "held") {
      this.#held = heldAgain(this.#held.times, recovery.until);
      return;
    }
    await this.#look();
    if (this.#isSettled) return;
    const at = this.#looked.last;
    this.#stalled = { at, times: this.#stalled.at === at ? this.#stalled.times + 1 : 1 };
    if (this.#stalled.times < mostStalled) return;
    this.#over = { ending: endingOfStalled(recovery), at };
    this.#wake();
  }

  /** Looks; once more if a look is under way, which may have read what was before. Never rejects. */
  #look(): Promise<void> {
    this.#isStale = true;
    this.#looking ??= this.#lookUntilFresh().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookUntilFresh(): Promise<void> {
    try {
      while (this.#isStale && !this.#isSettled) {
        this.#isStale = false;
        await this.#lookOnce();
      }
    } catch (error) {
      this.#failure = { error };
    }
    if (this.#isSettled) this.#wake();
  }

  async #lookOnce(): Promise<void> {
    const { store, key, recoveries } = this.#watched;
    const look = await lookAt(store, key, this.#messages);
    this.#looked = look;
    if (this.#tried) this.#tried.at ??= look.last;
    // Somebody has gone on since.
    if (this.#tried?.at !== look.last) this.#tried = undefined;
    const isDeleted = look.last < this.#after;
    const isWorking = recoveries.isWorking(key);
    const recovery = isWorking ? undefined : this.#tried?.recovery;
    const isQuiet = this.#isQuiet;
    const ending = isDeleted ? deleted : endingOfLook(look, this.#messages, { recovery, isWorking, isQuiet });
    if (ending) this.#over ??= { ending, at: isDeleted ? 0 : look.last };
  }

  /** Nothing has come for a while: goes on, unless this process is at work, or somebody said when they try again. */
  async #goOn(): Promise<void> {
    const { key, recoveries, onError } = this.#watched;
    const isAtWork = () => recoveries.isWorking(key) || this.#held.askAt > Date.now();
    this.#isQuiet = true;
    if (!isAtWork()) await this.#look();
    if (this.#isSettled) return;
    this.#timer.refresh();
    const isTriedLater = (this.#looked.retryAt ?? Number.NEGATIVE_INFINITY) + grace > Date.now();
    if (!isTriedLater && !isAtWork()) recoveries.begin(key, onError);
  }
}

/** Whether a turn may be over after the event, or be asked about. */
function mayEnd(event: StoredEvent): boolean {
  return event.type === "cancelled" || (event.type === "record" && telling.has(event.kind));
}

const telling: ReadonlySet<string> = new Set(["run", "question", "usage", "finished", "not_done", "notice", "message"]);

/** Each try is a run on the timeline of the agent: asks again after 1, 2, 4 and then 8 seconds, or when the other run would have ended. */
function heldAgain(times: number, until = Number.POSITIVE_INFINITY): { times: number; askAt: number } {
  const pause = Math.min(quietTime * 2 ** times, longestPause);
  return { times: times + 1, askAt: Math.min(Date.now() + pause, until) };
}

const longestPause = 8000;

/** A turn with which this process cannot go on, though its messages were not read. */
function endingOfStalled(recovery: Recovery): TurnEnding {
  if (recovery.type === "broken") return recovery.ending;
  if (recovery.type === "ended" && (recovery.status === "waiting" || recovery.status === "parked"))
    return { status: recovery.status };
  return { status: "completed" };
}

/** Milliseconds without an event after which somebody may have died. */
const quietTime = 1000;

/** Milliseconds that a worker may be late. */
const grace = 5000;

/** Tries that change nothing, after which nothing more comes. */
const mostStalled = 2;
