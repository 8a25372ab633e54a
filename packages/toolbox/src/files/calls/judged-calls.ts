import { ToolboxError } from "../../errors.ts";

/**
 * Remembers how each call was judged before it ran. Calls before it in the batch, and other processes, can change files
 * between the judgement and the call; the tool compares both, so that it runs what was judged and what a person approved.
 *
 * A call is identified by its arguments: an executor gives the same object to every step of a call. Each call is judged once,
 * and steps that run side by side share the judgement.
 */
export class JudgedCalls<Args extends object, Judgement> {
  readonly #judge: (args: Args) => Promise<Judgement>;
  readonly #judgements = new WeakMap<object, Promise<Judgement>>();

  constructor(judge: (args: Args) => Promise<Judgement>) {
    this.#judge = judge;
  }

  judge(args: Args): Promise<Judgement> {
    const known = this.#judgements.get(args) ?? this.#judge(args);
    this.#judgements.set(args, known);
    return known;
  }

  /** Undefined for a call that was not judged. */
  async get(args: Args): Promise<Judgement | undefined> {
    return this.#judgements.get(args);
  }
}

export const leadsElsewhere = "has come to lead elsewhere";

/** The error of a call whose effect has changed since it was judged. */
export function changedSinceJudged(asked: string, problem: string): ToolboxError {
  const message = `"${asked}" ${problem} since this call was looked at, so it was not carried out. Call again.`;
  return new ToolboxError("path_changed", asked, message);
}
