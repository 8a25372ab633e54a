import type { Budget, LimitReached } from "@cogency/agent";
import { counted } from "../../base/terminal/text.ts";
import type { Options } from "../../place/config/option-table.ts";
import { chatBudgetOf, type LimitOptions } from "../../work/limits.ts";
import type { PersonQuestion } from "./person.ts";

/** After how much work the person is asked, and the limits of a turn. */
export type CheckInOptions = LimitOptions & Options<"askAfterSteps" | "askAfterMinutes">;

export const usualCheckIn = { steps: 100, minutes: 30 } as const;

type Ask = (question: PersonQuestion) => Promise<unknown>;

/**
 * Asks the person from time to time whether a turn of a chat goes on. A turn has no limit of steps and time of its own, unless the person
 * has set one.
 */
export class CheckIn {
  readonly #options: CheckInOptions;
  readonly #ask: Ask;
  #hasHeard = false;

  constructor(options: CheckInOptions, ask: Ask) {
    this.#options = options;
    this.#ask = ask;
  }

  /** The limits of a turn that begins. */
  get budget(): Budget {
    return this.#after(0, 0);
  }

  /** The person has said something in the middle of the turn. */
  heard(): void {
    this.#hasHeard = true;
  }

  /** The limits of the rest of the turn; undefined if it ends. */
  async atLimit({ stop, used, signal }: LimitReached): Promise<Budget | undefined> {
    const { maxSteps = Number.POSITIVE_INFINITY, maxSeconds = Number.POSITIVE_INFINITY } = this.#options;
    const isOwn = stop.reason === "steps_limit" ? used.steps < maxSteps : used.seconds < maxSeconds;
    if (!["steps_limit", "time_limit"].includes(stop.reason) || stop.context.of === "conversation" || !isOwn)
      return undefined;
    if (!this.#hasHeard && !(await this.#goesOn(used, signal))) return undefined;
    this.#hasHeard = false;
    return this.#after(used.steps, used.seconds);
  }

  async #goesOn({ steps, seconds }: LimitReached["used"], signal: AbortSignal): Promise<boolean> {
    const minutes = Math.floor(seconds / 60);
    const done = [counted(steps, "step"), ...(minutes > 0 ? [counted(minutes, "minute")] : [])].join(" and ");
    const message = `This turn has taken ${done}. Is it to go on? (/budget changes when you are asked.)`;
    try {
      return (
        (await this.#ask({ question: crypto.randomUUID(), message, schema: { type: "boolean" }, signal })) === true
      );
    } catch {
      // No answer is none to go on.
      return false;
    }
  }

  #after(steps: number, seconds: number): Budget {
    const { askAfterSteps = usualCheckIn.steps, askAfterMinutes = usualCheckIn.minutes } = this.#options;
    const limits = chatBudgetOf(this.#options);
    return {
      ...limits,
      steps: Math.min(limits.steps ?? Number.POSITIVE_INFINITY, steps + askAfterSteps),
      seconds: Math.min(limits.seconds ?? Number.POSITIVE_INFINITY, seconds + 60 * askAfterMinutes),
    };
  }
}
