import type { CallPart, Part, Parts, QuestionPart } from "./part.ts";

/** A list of parts that one or several events change. The list that it begins with is copied before the first change. */
export class Draft {
  parts: Parts;
  #isOwn = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Replaces `count` parts from `at` on. */
  replace(at: number, count: number, ...parts: Part[]): void {
    if (!this.#isOwn) this.parts = this.parts.slice();
    this.#isOwn = true;
    (this.parts as Part[]).splice(at, count, ...parts);
  }

  add(part: Part): void {
    this.replace(this.parts.length, 0, part);
  }

  /** The parts that may be open, each with its index: those after the last words to the model and the last settled call. */
  recent(): { part: Part; at: number }[] {
    const from = this.parts.findLastIndex((part) => part.type === "user" || (part.type === "call" && !part.open)) + 1;
    return this.parts.slice(from).map((part, i) => ({ part, at: from + i }));
  }

  /** The open calls in order. */
  openCalls(): { call: CallPart; at: number }[] {
    return this.recent().flatMap(({ part, at }) => (part.type === "call" && part.open ? { call: part, at } : []));
  }

  /** The questions of the call at `at`, which stand after it. */
  questionsOf(at: number): QuestionPart[] {
    const questions: QuestionPart[] = [];
    for (let i = at + 1; this.parts[i]?.type === "question"; i++) questions.push(this.parts[i] as QuestionPart);
    return questions;
  }
}
