import { styleText } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import type { AnswerRequest, ApprovalRequest } from "@cogency/tools";
import type { OfferedRule, PersonAnswer } from "../../approval/asker.ts";
import { oneLine } from "../../terminal/text.ts";
import type { Person } from "../conversation/person.ts";
import type { Page } from "../page.ts";
import { ApprovalQuestion } from "./approval-question.ts";
import type { OpenQuestion } from "./open-question.ts";
import { ToolQuestion } from "./tool-question.ts";

/** Milliseconds without another key, after which a key is an answer: until then it may be a part of what somebody types. */
const quiet = 500;

/** Puts questions on the page, one after another, and reads the answers from keys, and from what the editor submits. */
export class QuestionView implements Person {
  readonly #page: Page;
  readonly #size: () => { columns: number; rows: number };
  readonly #onOpen: (text: string) => void;
  readonly #now: () => number;
  #open: OpenQuestion | undefined;
  #before: Promise<unknown> = Promise.resolve();
  #lastKeyAt = 0;
  /** The questions that were answered here. */
  readonly #answered = new Set<string>();

  /** @param onOpen called once for each question that is put */
  constructor(
    page: Page,
    size: () => { columns: number; rows: number },
    onOpen: (text: string) => void,
    now = () => performance.now(),
  ) {
    this.#page = page;
    this.#size = size;
    this.#onOpen = onOpen;
    this.#now = now;
  }

  canAnswer(): boolean {
    return true;
  }

  ask(request: ApprovalRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    return this.#put<PersonAnswer>(request, { approved: false }, (settle) => {
      this.#onOpen("The agent asks for permission.");
      return new ApprovalQuestion(request, offered, this.#page, this.#size, settle);
    });
  }

  async answer(request: AnswerRequest): Promise<unknown> {
    const answer = await this.#put<unknown>(request, new Error("the question is closed."), (settle) => {
      this.#onOpen("The agent has a question.");
      return new ToolQuestion(request, this.#page, settle);
    });
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** Whether a question stands. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the editor takes the answer. */
  get takesText(): boolean {
    return this.#open?.takesText === true;
  }

  /** What can be answered, in rows of so many columns; empty without a question. */
  rows(columns: number): string[] {
    return this.#open?.rows(columns) ?? [];
  }

  /**
   * Reads a key as an answer. Returns whether it was one: a key that follows another one too soon belongs to what somebody was typing
   * when the question came.
   */
  key(data: string): boolean {
    const now = this.#now();
    const isQuiet = now - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = now;
    if (!this.#open || this.#open.takesText || !isQuiet) return false;
    this.#open.key(data);
    return true;
  }

  /** Takes what the editor submits as the answer. */
  submit(text: string): void {
    this.#open?.submit(text);
  }

  /** A no, or no answer. */
  escape(): void {
    const isQuiet = this.#now() - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = this.#now();
    if (isQuiet || this.takesText) this.#open?.escape();
  }

  /** Says who answered a question that somebody answered elsewhere. */
  event(event: RunEvent): void {
    if (event.type !== "approval_settled" && event.type !== "question_answered") return;
    if (this.#answered.delete(event.question)) return;
    if (event.by === undefined && event.type === "approval_settled" && event.error !== undefined) return;
    const who = event.by === undefined ? "elsewhere" : `elsewhere, by ${oneLine(event.by, 80)}`;
    const what =
      event.type === "question_answered"
        ? "Answered"
        : event.decision === "approved"
          ? "Allowed"
          : `Denied${event.reason === undefined ? "" : ` (${oneLine(event.reason, 200)})`}`;
    this.#page.add(() => [styleText("dim", `${what} ${who}.`, { stream: this.#page.stream })]);
  }

  #put<Answer>(
    { question, signal }: { question: string; signal: AbortSignal },
    closed: Answer,
    open: (settle: (answer: Answer) => void) => OpenQuestion,
  ): Promise<Answer> {
    const answer = this.#before.then(() => {
      if (signal.aborted) return closed;
      return new Promise<Answer>((resolve) => {
        let isSettled = false;
        const settle = (given: Answer) => {
          isSettled = true;
          signal.removeEventListener("abort", close);
          this.#open = undefined;
          this.#page.refresh();
          resolve(given);
        };
        const close = () => settle(closed);
        signal.addEventListener("abort", close, { once: true });
        this.#lastKeyAt = this.#now();
        const put = open((given) => {
          this.#answered.add(question);
          settle(given);
        });
        if (!isSettled) this.#open = put;
        this.#page.refresh();
      });
    });
    this.#before = answer;
    return answer;
  }
}
