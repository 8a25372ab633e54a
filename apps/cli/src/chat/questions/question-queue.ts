import type { RunEvent } from "@cogency/protocol";
import { oneLine } from "../../base/terminal/text.ts";
import { LateAnswers } from "../../person/approval/late-answers.ts";
import { innermost } from "../../person/show/agent-paths.ts";

/** Puts questions one after another, and remembers which of them were answered here. `Put` is what stands while one is open. */
export class QuestionQueue<Put> {
  readonly #onChange: () => void;
  #open: Put | undefined;
  #before: Promise<unknown> = Promise.resolve();
  readonly #put = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #late = new LateAnswers();

  /** @param onChange called when a question is put, and when it closes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The question that stands. */
  get open(): Put | undefined {
    return this.#open;
  }

  /**
   * Puts a question when those before it are closed.
   *
   * @param closed the answer when `signal` aborts, as it does when somebody has answered elsewhere
   * @param open puts the question, and calls `settle` with the answer
   */
  put<Answer>(
    { question, signal }: { question: string; signal: AbortSignal },
    closed: Answer,
    open: (settle: (answer: Answer) => void) => Put,
  ): Promise<Answer> {
    this.#put.add(question);
    const answer = this.#before.then(() => {
      if (signal.aborted) return closed;
      return new Promise<Answer>((resolve) => {
        let isSettled = false;
        const settle = (given: Answer) => {
          isSettled = true;
          signal.removeEventListener("abort", close);
          this.#open = undefined;
          this.#onChange();
          resolve(given);
        };
        const close = () => {
          this.#late.closed();
          settle(closed);
        };
        signal.addEventListener("abort", close, { once: true });
        const put = open((given) => {
          this.#answered.add(question);
          settle(given);
        });
        if (!isSettled) this.#open = put;
        this.#onChange();
      });
    });
    this.#before = answer;
    return answer;
  }

  /** Whether a line was meant for a question that has just closed without it. */
  isLate(line: string): boolean {
    return this.#late.isLate(line);
  }

  /**
   * Hears how a question was settled; undefined for other events, and where no person settled it: a mode or a rule did, or it could not be
   * put. `text` is `Allowed elsewhere, by Ada.`; it is left out where the person here has answered.
   */
  settled(of: RunEvent): { text?: string } | undefined {
    const event = innermost(of);
    if (event.type !== "approval_settled" && event.type !== "question_answered") return undefined;
    const wasPut = this.#put.delete(event.question);
    if (this.#answered.delete(event.question)) return {};
    if (event.by === undefined && (!wasPut || (event.type === "approval_settled" && event.error !== undefined)))
      return undefined;
    const who = event.by === undefined ? "elsewhere" : `elsewhere, by ${oneLine(event.by, 80)}`;
    return { text: `${answerText(event)} ${who}.` };
  }
}

function answerText(event: RunEvent & { type: "approval_settled" | "question_answered" }): string {
  if (event.type === "question_answered") return "Answered";
  if (event.decision === "approved") return "Allowed";
  return event.reason === undefined ? "Denied" : `Denied (${oneLine(event.reason, 200)})`;
}
