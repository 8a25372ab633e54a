import { styleText } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import { wordWrapped } from "../../base/terminal/text.ts";
import type { DoubtedRequest, OfferedRule, PersonAnswer } from "../../person/approval/asker.ts";
import type { Paper } from "../../person/turn/paper.ts";
import type { Person, PersonQuestion } from "../conversation/person.ts";
import { AnswerKeys, type Clock, type Draft } from "./answer-keys.ts";
import { ApprovalQuestion } from "./approval-question.ts";
import type { OpenQuestion } from "./open-question.ts";
import { QuestionQueue } from "./question-queue.ts";
import { ToolQuestion } from "./tool-question.ts";

/** Milliseconds in which a text that is sent is no answer: it was begun before the question could be read. */
const readingTime = 500;

export interface QuestionViewOptions {
  paper: Paper;
  size(): { columns: number; rows: number };
  /** Called once for each question that is put. */
  onOpen(text: string): void;
  /** Puts a key into the editor that does not answer after all. */
  type(key: string): void;
  clock?: Clock;
}

/** Puts questions on the paper, one after another, and reads the answers from keys, and from what the editor submits. */
export class QuestionView implements Person {
  readonly #options: QuestionViewOptions;
  readonly #clock: Clock;
  readonly #queue: QuestionQueue<OpenQuestion>;
  readonly #keys: AnswerKeys;
  #openedAt = 0;

  constructor(options: QuestionViewOptions) {
    const { paper, type, clock = usualClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#keys = new AnswerKeys({ answer: (key) => this.#queue.open?.key(key) === true, type }, clock);
    this.#queue = new QuestionQueue(() => {
      if (!this.#queue.open) this.#keys.closed();
      paper.refresh();
    });
  }

  canAnswer(): boolean {
    return true;
  }

  ask(request: DoubtedRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    return this.#queue.put<PersonAnswer>(request, { approved: false }, (settle) => {
      const { paper, size } = this.#options;
      this.#opened("The agent asks for permission.");
      return new ApprovalQuestion(request, offered, paper, size, settle);
    });
  }

  async answer(request: PersonQuestion): Promise<unknown> {
    const answer = await this.#queue.put<unknown>(request, new Error("the question is closed."), (settle) => {
      this.#opened("The agent has a question.");
      return new ToolQuestion(request, this.#options.paper, settle);
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
    const { stream } = this.#options.paper;
    return [
      ...wordWrapped("The agent asks for permission.", columns).map((row) => styleText("bold", row, { stream })),
      ...wordWrapped(
        "What you type belongs to your text. Esc sets it aside until you have answered, and keys answer then.",
        columns,
      ),
    ];
  }

  /** Reads a key as an answer. Returns whether it was one; else it belongs to the text that is being typed. See `AnswerKeys`. */
  key(data: string, draft: Draft): boolean {
    const { open } = this.#queue;
    return open !== undefined && !open.takesText && this.#keys.key(data, draft);
  }

  /** A text was sent while the question stands. */
  sent(): void {
    this.#keys.sent();
  }

  /** Takes what the editor submits as the answer. Returns whether it was one: it is none before the question could be read. */
  submit(text: string): boolean {
    if (this.#clock.now() - this.#openedAt < readingTime) return false;
    this.#queue.open?.submit(text);
    return true;
  }

  /** A no, or no answer. Returns whether the draft has to be set aside instead, so that keys can answer. */
  escape(draft: Draft): boolean {
    this.#keys.forget();
    if (this.#isBehind(draft.text)) return true;
    // Esc just after a key may belong to the text, too.
    if (this.takesText || !this.#keys.isTyping(draft)) this.#queue.open?.escape();
    return false;
  }

  /** Whether a text was meant for a question that has just closed without it. */
  isLate(text: string): boolean {
    return this.#queue.isLate(text);
  }

  /** Says who answered a question that somebody answered elsewhere. Returns whether a person has settled one, and the paper says so. */
  event(event: RunEvent): boolean {
    const settled = this.#queue.settled(event);
    const { text } = settled ?? {};
    const { paper } = this.#options;
    if (text !== undefined)
      paper.add((columns) =>
        wordWrapped(text, columns).map((line) => styleText("dim", line, { stream: paper.stream })),
      );
    return settled !== undefined;
  }

  /** Whether a text stands before a question that keys answer. */
  #isBehind(draft: string): boolean {
    return draft !== "" && this.#queue.open?.takesText === false;
  }

  #opened(text: string): void {
    this.#openedAt = this.#clock.now();
    this.#keys.shown();
    this.#options.onOpen(text);
  }
}

const usualClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
