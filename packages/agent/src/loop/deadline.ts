import { startTimer, type Timer } from "@cogency/async";
import type { Observer } from "@cogency/tools";
import { Interruption } from "../interruption.ts";

/** The time of the run is used up. */
function timeUsedUp(elapsedSeconds: number, maxSeconds: number): Interruption {
  const message = `The run used up its time (${maxSeconds} s). It is not over: \`recover\` goes on with it.`;
  return new Interruption(message, { elapsedSeconds, maxSeconds });
}

/** The time of a run. It stands still while a person is asked. */
export class Deadline {
  /** `Infinity` is none. */
  readonly seconds: number;
  /** Whether the model was told that little is left. */
  isTold = false;
  readonly #expire: (reason: Interruption) => void;
  #timer: Timer | undefined;
  /** Milliseconds up to the last pause. */
  #elapsed = 0;
  /** When the time began to run; undefined while it stands still. */
  #begun: number | undefined;
  #isOver = false;

  constructor(seconds: number, expire: (reason: Interruption) => void) {
    this.seconds = seconds;
    this.#expire = expire;
  }

  /** Seconds that have passed outside of pauses. */
  get elapsed(): number {
    return (this.#elapsed + (this.#begun === undefined ? 0 : performance.now() - this.#begun)) / 1000;
  }

  /** Lets the time run. */
  start(): void {
    if (this.#isOver || this.#begun !== undefined || this.seconds === Number.POSITIVE_INFINITY) return;
    this.#begun = performance.now();
    const left = Math.max(0, this.seconds * 1000 - this.#elapsed);
    this.#timer = startTimer(left, () => this.#expire(timeUsedUp(this.seconds, this.seconds)));
  }

  /** Stops the time, until `start`. */
  pause(): void {
    this.#timer?.stop();
    this.#elapsed = this.elapsed * 1000;
    this.#begun = undefined;
  }

  /** The run is over. */
  close(): void {
    this.pause();
    this.#isOver = true;
  }
}

/** Stops the time of the run while a question of the batch stands, beside what `observe` does. */
export function pausedByQuestions(deadline: Deadline, observe: Observer | undefined): Observer | undefined {
  if (deadline.seconds === Number.POSITIVE_INFINITY) return observe;
  /** The calls that ask. */
  const asking = new Set<string>();
  const settle = (id: string) => {
    if (asking.delete(id) && asking.size === 0) deadline.start();
  };
  return (event) => {
    if (event.type === "asked") asking.add(event.request.call.id);
    else if (event.type === "question_asked") asking.add(event.call.id);
    else if (event.type === "answered" || event.type === "question_answered") settle(event.call.id);
    // A question that nobody could answer, or whose time was over.
    else if (event.type === "completed") settle(event.execution.id);
    if (asking.size > 0) deadline.pause();
    return observe?.(event);
  };
}
