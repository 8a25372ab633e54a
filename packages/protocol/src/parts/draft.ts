import type { CallPart, Part, Parts, QuestionPart } from "./part.ts";

/** A list of parts that one or several events change. The list that it begins with is copied before the first change. */
export class Draft {
  parts: Parts;
  #isOwn = false;
  /** The indices of the open calls, in order; undefined where they must be looked for. */
  #open: number[] | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Replaces `count` parts from `at` on. */
  replace(at: number, count: number, ...parts: Part[]): void {
    if (!this.#isOwn) this.parts = this.parts.slice();
    this.#isOwn = true;
    const length = this.parts.length;
    const replaced = (this.parts as Part[]).splice(at, count, ...parts);
    // A part that is added at the end, or takes the place of another, changes no index.
    const isMoved = at !== length && count !== parts.length;
    const isChanged = parts.some((part, i) => isOpen(part) !== isOpen(replaced[i]));
    if (isMoved || isChanged || [...parts, ...replaced].some(isOver)) this.#open = undefined;
  }

  add(part: Part): void {
    this.replace(this.parts.length, 0, part);
  }

  /** The parts that may be open, each with its index: those after the last words to the model and the last settled call. */
  recent(): { part: Part; at: number }[] {
    const from = this.parts.findLastIndex(isOver) + 1;
    return this.parts.slice(from).map((part, i) => ({ part, at: from + i }));
  }

  /** The open calls in order. */
  openCalls(): { call: CallPart; at: number }[] {
    this.#open ??= this.recent().flatMap(({ part, at }) => (isOpen(part) ? at : []));
    return this.#open.map((at) => ({ call: this.parts[at] as CallPart, at }));
  }

  /** The questions of the call at `at`, which stand after it. */
  questionsOf(at: number): QuestionPart[] {
    const questions: QuestionPart[] = [];
    for (let i = at + 1; this.parts[i]?.type === "question"; i++) questions.push(this.parts[i] as QuestionPart);
    return questions;
  }
}

function isOpen(part: Part | undefined): boolean {
  return part?.type === "call" && part.open === true;
}

/** Whether no call before this part can be open. */
function isOver(part: Part): boolean {
  return part.type === "user" || (part.type === "call" && !part.open);
}
