import { styleText } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import type { ApprovalRequest } from "@cogency/tools";
import { wordWrapped } from "../../base/terminal/text.ts";
import type { OfferedRule, PersonAnswer } from "../../person/approval/asker.ts";
import type { Person, PersonQuestion } from "../conversation/person.ts";
import type { Paper } from "../paper.ts";
import { ApprovalQuestion } from "./approval-question.ts";
import type { OpenQuestion } from "./open-question.ts";
import { QuestionQueue } from "./question-queue.ts";
import { ToolQuestion } from "./tool-question.ts";

/** Milliseconds without another key, after which a key is an answer: one that comes sooner was typed before the question could be read. */
const quiet = 500;

/** Puts questions on the paper, one after another, and reads the answers from keys, and from what the editor submits. */
export class QuestionView implements Person {
  readonly #paper: Paper;
  readonly #size: () => { columns: number; rows: number };
  readonly #onOpen: (text: string) => void;
  readonly #now: () => number;
  readonly #queue: QuestionQueue<OpenQuestion>;
  #lastKeyAt = 0;
  #openedAt = 0;

  /** @param onOpen called once for each question that is put */
  constructor(
    paper: Paper,
    size: () => { columns: number; rows: number },
    onOpen: (text: string) => void,
    now = () => performance.now(),
  ) {
    this.#paper = paper;
    this.#size = size;
    this.#onOpen = onOpen;
    this.#now = now;
    this.#queue = new QuestionQueue(() => paper.refresh());
  }

  canAnswer(): boolean {
    return true;
  }

  ask(request: ApprovalRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    return this.#queue.put<PersonAnswer>(request, { approved: false }, (settle) => {
      this.#opened("The agent asks for permission.");
      return new ApprovalQuestion(request, offered, this.#paper, this.#size, settle);
    });
  }

  async answer(request: PersonQuestion): Promise<unknown> {
    const answer = await this.#queue.put<unknown>(request, new Error("the question is closed."), (settle) => {
      this.#opened("The agent has a question.");
      return new ToolQuestion(request, this.#paper, settle);
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

  /**
   * What can be answered, in rows of so many columns; empty without a question.
   *
   * @param draft what the editor holds
   */
  rows(columns: number, draft: string): string[] {
    const { open } = this.#queue;
    if (!open) return [];
    if (!this.#isBehind(draft)) return open.rows(columns);
    const { stream } = this.#paper;
    return [
      ...wordWrapped("The agent asks for permission.", columns).map((row) => styleText("bold", row, { stream })),
      ...wordWrapped(
        "What you type belongs to your text. Esc sets it aside until you have answered, and keys answer then.",
        columns,
      ),
    ];
  }

  /**
   * Reads a key as an answer. Returns whether it was one. None is a key that follows another one too soon, and one that is typed while
   * the editor holds a text: it belongs to that text, however long the pause before it.
   *
   * @param draft what the editor holds
   */
  key(data: string, draft: string): boolean {
    const isQuiet = this.#isQuiet();
    const { open } = this.#queue;
    if (!open || open.takesText || !isQuiet || this.#isBehind(draft)) return false;
    return open.key(data);
  }

  /** Takes what the editor submits as the answer. Returns whether it was one: it is none before the question could be read. */
  submit(text: string): boolean {
    if (this.#now() - this.#openedAt < quiet) return false;
    this.#queue.open?.submit(text);
    return true;
  }

  /**
   * A no, or no answer.
   *
   * @param draft what the editor holds
   * @returns whether the draft has to be set aside instead, so that keys can answer
   */
  escape(draft: string): boolean {
    const isQuiet = this.#isQuiet();
    if (this.#isBehind(draft)) {
      // Who has read the question, and presses Esc, may answer at once.
      if (isQuiet) this.#lastKeyAt = Number.NEGATIVE_INFINITY;
      return true;
    }
    if (isQuiet || this.takesText) this.#queue.open?.escape();
    return false;
  }

  /** Whether a text was meant for a question that has just closed without it. */
  isLate(text: string): boolean {
    return this.#queue.isLate(text);
  }

  /** Says who answered a question that somebody answered elsewhere. */
  event(event: RunEvent): void {
    const text = this.#queue.answeredElsewhere(event);
    if (text === undefined) return;
    const { stream } = this.#paper;
    this.#paper.add((columns) => wordWrapped(text, columns).map((line) => styleText("dim", line, { stream })));
  }

  /** Whether a text stands before a question that keys answer. */
  #isBehind(draft: string): boolean {
    return draft !== "" && this.#queue.open?.takesText === false;
  }

  /** Whether some time has passed since the last key. */
  #isQuiet(): boolean {
    const now = this.#now();
    const isQuiet = now - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = now;
    return isQuiet;
  }

  #opened(text: string): void {
    this.#openedAt = this.#now();
    this.#lastKeyAt = this.#openedAt;
    this.#onOpen(text);
  }
}
