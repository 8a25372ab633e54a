/**
 * Notices an answer that came too late: a lone `y`, `n` or letter of a rule, typed just after somebody else has answered. It was meant
 * for the question, and the model should not read it as words of the person.
 */
export class LateAnswers {
  #isAwaited = false;

  /** A question has closed, or was answered: another answer would find none. */
  closed(): void {
    this.#isAwaited = true;
  }

  /** Whether a line is such an answer. Only the first line after the question can be one. */
  isLate(line: string): boolean {
    const isLate = this.#isAwaited && isLoneAnswer(line);
    this.#isAwaited = false;
    return isLate;
  }
}

/** What is said of such a line. */
export function lateAnswerText(line: string): string {
  return `No question stands any more that "${line.trim()}" would answer, so it was not sent. Type it again to send it.`;
}

/** Whether a text is nothing but an answer: `y`, `yes`, `n`, `no` or the letter of an offered rule. */
export function isLoneAnswer(text: string): boolean {
  return /^(?:y|yes|n|no|[abcstu])$/i.test(text.trim());
}
