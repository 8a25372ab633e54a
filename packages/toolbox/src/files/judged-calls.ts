import { ToolboxError } from "../errors.ts";

/**
 * What was found out about a call before it ran, by its arguments: an executor gives the same object to every step of a
 * call. So that what runs is what was judged, and what a person was asked about: the calls before it in the batch, and
 * other processes, may have changed files meanwhile.
 */
export class JudgedCalls<Judgement> {
  readonly #judgements = new WeakMap<object, Judgement>();

  set(args: object, judgement: Judgement): void {
    this.#judgements.set(args, judgement);
  }

  /** Undefined for a call that was not judged. */
  get(args: object): Judgement | undefined {
    return this.#judgements.get(args);
  }
}

export const LEADS_ELSEWHERE = "has come to lead elsewhere";

/** For a call that would now do something else than what was judged. */
export function changedSinceJudged(asked: string, problem: string): ToolboxError {
  const message = `"${asked}" ${problem} since this call was looked at, so nothing was changed. Call again.`;
  return new ToolboxError("path_changed", asked, message);
}
