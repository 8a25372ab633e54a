import type { AskedQuestion } from "../../person/show/open-questions.ts";
import type { Answer } from "../answer-command.ts";

/** What a typed line means to the question that stands; undefined: it is none of the question's. */
export type TypedAnswer = { answer: Answer; reason?: string } | "more" | "unclear" | undefined;

/** The question that stands, as a person reads it in pages and answers it by a line. A yes counts once all of it was shown. */
export class TypedAnswers {
  readonly asked: AskedQuestion;
  #rows: readonly string[];
  /** The answer was sent, and a run has not taken it yet. */
  isSent = false;

  constructor(asked: AskedQuestion, rows: readonly string[]) {
    this.asked = asked;
    this.#rows = rows;
  }

  /** The next rows, at most so many. */
  page(most: number): readonly string[] {
    const page = this.#rows.slice(0, most);
    this.#rows = this.#rows.slice(page.length);
    return page;
  }

  /** What can be typed. */
  get help(): string {
    if (this.isSent) return "Sent. The run has not read it yet.";
    const left = this.#rows.length;
    const isWords = this.asked.question.asks === "answer";
    if (left > 0)
      return `… ${left} more rows. Enter: next page${isWords ? "" : ", n: no"}. The answer comes after that.`;
    return isWords ? "Type the answer, and Enter." : "Allow it? y, or n and why not, and Enter.";
  }

  /** Reads a line. */
  read(line: string): TypedAnswer {
    if (this.isSent) return undefined;
    const text = line.trim();
    const isWords = this.asked.question.asks === "answer";
    const [, no, reason = ""] = /^(no?)(?:[\s:,]+(.*))?$/is.exec(text) ?? [];
    if (no !== undefined && !isWords) return { answer: { kind: "deny" }, reason };
    if (this.#rows.length > 0) return text === "" ? "more" : "unclear";
    if (isWords) return text === "" ? "unclear" : { answer: { kind: "answer", content: line } };
    return /^y(es)?$/i.test(text) ? { answer: { kind: "approve" } } : "unclear";
  }
}
