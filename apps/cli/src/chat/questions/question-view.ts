import { styleText } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import type { AnswerRequest, ApprovalRequest } from "@cogency/tools";
import type { OfferedRule, PersonAnswer } from "../../approval/asker.ts";
import { wordWrapped } from "../../terminal/text.ts";
import type { Person } from "../conversation/person.ts";
import type { Page } from "../page.ts";
import { ApprovalQuestion } from "./approval-question.ts";
import type { OpenQuestion } from "./open-question.ts";
import { QuestionQueue } from "./question-queue.ts";
import { ToolQuestion } from "./tool-question.ts";

/** Milliseconds without another key, after which a key is an answer: until then it may be a part of what somebody types. */
const quiet = 500;

/** Puts questions on the page, one after another, and reads the answers from keys, and from what the editor submits. */
export class QuestionView implements Person {
  readonly #page: Page;
  readonly #size: () => { columns: number; rows: number };
  readonly #onOpen: (text: string) => void;
  readonly #now: () => number;
  readonly #queue: QuestionQueue<OpenQuestion>;
  #lastKeyAt = 0;

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
    this.#queue = new QuestionQueue(() => page.refresh());
  }

  canAnswer(): boolean {
    return true;
  }

  ask(request: ApprovalRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    return this.#queue.put<PersonAnswer>(request, { approved: false }, (settle) => {
      this.#opened("The agent asks for permission.");
      return new ApprovalQuestion(request, offered, this.#page, this.#size, settle);
    });
  }

  async answer(request: AnswerRequest): Promise<unknown> {
    const answer = await this.#queue.put<unknown>(request, new Error("the question is closed."), (settle) => {
      this.#opened("The agent has a question.");
      return new ToolQuestion(request, this.#page, settle);
    });
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** Whether a question stands. */
  get isOpen(): boolean {
    return this.#queue.open !== undefined;
  }

  /** Whether the editor takes the answer. */
  get takesText(): boolean {
    return this.#queue.open?.takesText === true;
  }

  /** What can be answered, in rows of so many columns; empty without a question. */
  rows(columns: number): string[] {
    return this.#queue.open?.rows(columns) ?? [];
  }

  /**
   * Reads a key as an answer. Returns whether it was one. A key that follows another one too soon is none: it belongs to what somebody
   * was typing when the question came.
   */
  key(data: string): boolean {
    const now = this.#now();
    const isQuiet = now - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = now;
    const { open } = this.#queue;
    if (!open || open.takesText || !isQuiet) return false;
    return open.key(data);
  }

  /** Takes what the editor submits as the answer. */
  submit(text: string): void {
    this.#queue.open?.submit(text);
  }

  /** A no, or no answer. */
  escape(): void {
    const isQuiet = this.#now() - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = this.#now();
    if (isQuiet || this.takesText) this.#queue.open?.escape();
  }

  /** Says who answered a question that somebody answered elsewhere. */
  event(event: RunEvent): void {
    const text = this.#queue.answeredElsewhere(event);
    if (text === undefined) return;
    const { stream } = this.#page;
    this.#page.add((columns) => wordWrapped(text, columns).map((line) => styleText("dim", line, { stream })));
  }

  #opened(text: string): void {
    this.#lastKeyAt = this.#now();
    this.#onOpen(text);
  }
}
