import { startTimer, type Timer } from "@cogency/async";
import type { Observer, StopSignal } from "@cogency/tools/host";
import { Interruption } from "../interruption.ts";

/** The time of the run is used up. */
function timeUsedUp(elapsedSeconds: number, maxSeconds: number): Interruption {
  const message = `The run used up its time (${maxSeconds} s). The limit is \`budget.seconds\`. The run is not over: \`recover\` goes on with it.`;
  return new Interruption(message, { elapsedSeconds, maxSeconds });
}

/** The time of a run. It stands still while a person is asked. */
export class Deadline {
  /** `Infinity` is none. A change counts from the next `start`. */
  seconds: number;
  /** Whether the model was told that little is left. */
  isTold = false;
  readonly #expire: (reason: Interruption) => void;
  readonly #isSoft: boolean;
  readonly #above: Deadline | undefined;
  /** Why the time stands still: batches that ask, and runs below whose time does. */
  readonly #holders = new Set<object>();
  #timer: Timer | undefined;
  /** Milliseconds up to the last pause. */
  #elapsed = 0;
  /** When the time began to run; undefined while it stands still. */
  #begun: number | undefined;
  #isOver = false;

  /**
   * @param expire breaks the run off
   * @param isSoft whether nothing is broken off: the end of the time is looked at between steps (`stop`)
   * @param above that of the run which has started this one
   */
  constructor(seconds: number, expire: (reason: Interruption) => void, isSoft = false, above?: Deadline) {
    this.#above = above;
    this.seconds = seconds;
    this.#expire = expire;
    this.#isSoft = isSoft;
  }

  /** Why the run may not take another step; undefined if it may, and where the end of the time breaks it off. */
  get stop(): StopSignal | undefined {
    return this.#isSoft && this.elapsed >= this.seconds ? timeUsedUp(this.elapsed, this.seconds).stop : undefined;
  }

  /** Breaks the run off. */
  end(): void {
    this.#expire(timeUsedUp(this.elapsed, this.seconds));
  }

  /** Seconds that have passed outside of pauses. */
  get elapsed(): number {
    return (this.#elapsed + (this.#begun === undefined ? 0 : performance.now() - this.#begun)) / 1000;
  }

  /** Lets the time run. */
  start(): void {
    if (this.#isOver || this.#begun !== undefined || this.#holders.size > 0) return;
    this.#begun = performance.now();
    if (this.#isSoft || this.seconds === Number.POSITIVE_INFINITY) return;
    const left = Math.max(0, this.seconds * 1000 - this.#elapsed);
    this.#timer = startTimer(left, () => this.#expire(timeUsedUp(this.seconds, this.seconds)));
  }

  /** Stops the time, until `start`. */
  pause(): void {
    this.#timer?.stop();
    this.#elapsed = this.elapsed * 1000;
    this.#begun = undefined;
  }

  /** Stops the time, here and in the runs above, until nobody holds it any more. */
  hold(by: object): void {
    if (this.#isOver) return;
    this.#holders.add(by);
    this.pause();
    this.#above?.hold(this);
  }

  letGo(by: object): void {
    if (!this.#holders.delete(by) || this.#holders.size > 0) return;
    this.start();
    this.#above?.letGo(this);
  }

  /** The run is over. */
  close(): void {
    this.pause();
    this.#isOver = true;
    this.#above?.letGo(this);
  }
}

/** Stops the time of the run while a question of the batch stands, beside what `observe` does. */
export function pausedByQuestions(deadline: Deadline, observe: Observer | undefined): Observer | undefined {
  /** The calls that ask. */
  const asking = new Set<string>();
  const settle = (id: string) => {
    if (asking.delete(id) && asking.size === 0) deadline.letGo(asking);
  };
  return (event) => {
    if (event.type === "asked") asking.add(event.request.call.id);
    else if (event.type === "question_asked") asking.add(event.call.id);
    else if (event.type === "answered" || event.type === "question_answered") settle(event.call.id);
    // A question that nobody could answer, or whose time was over.
    else if (event.type === "completed") settle(event.execution.id);
    if (asking.size > 0) deadline.hold(asking);
    return observe?.(event);
  };
}
