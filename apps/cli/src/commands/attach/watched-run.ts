import type { Agent } from "@cogency/agent";
import { planOf } from "@cogency/plan/log";
import type { Piece } from "@cogency/protocol/parts";
import type { MessageContent, StoredEvent } from "@cogency/storage";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { messageOf } from "../../base/errors/message-of.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { LateAnswers, lateAnswerText } from "../../person/approval/late-answers.ts";
import { openPlanText } from "../../person/plan/plan-texts.ts";
import type { approvalReader } from "../../person/show/approvals-of.ts";
import { askedRows, questionsOf } from "../../person/show/open-questions.ts";
import { messageFor } from "../answer-command.ts";
import type { TurnListener } from "./follow-turn.ts";
import { TypedAnswers } from "./typed-answers.ts";
import type { WatchedPage } from "./watched-page.ts";

interface WatchedParts {
  conversation: string;
  page: WatchedPage;
  agent: Agent;
  approvalOf: ReturnType<typeof approvalReader>;
  /** The folder that the conversation belongs to. */
  scope?: string | undefined;
  /** The command that goes on with the conversation. */
  resume: string;
  /** In milliseconds. */
  now?: () => number;
}

/** Milliseconds in which a line is not an answer: it was typed before the question could be read. */
const tooSoon = 500;

/** Milliseconds until it is said that no run has taken a message. */
const patience = 3000;

/** A run of another process, as a person watches it, steers it and answers its questions. */
export class WatchedRun implements TurnListener {
  readonly #parts: WatchedParts;
  readonly #now: () => number;
  readonly #events: StoredEvent[] = [];
  /** The messages that were sent and not taken yet. */
  readonly #sent = new Set<string>();
  readonly #late = new LateAnswers();
  #question: TypedAnswers | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Whether a run is at work, by what was heard last. */
  isRunning = true;

  constructor(parts: WatchedParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** Whether questions stand that nobody has answered. */
  get hasQuestion(): boolean {
    return this.#question !== undefined;
  }

  /** What is going on, and what can be typed. */
  get status(): string[] {
    if (this.#question) return [this.#question.help];
    const plan = openPlanText(planOf(this.#events));
    const where = plan === undefined ? "" : `${oneLine(plan, 100)} · `;
    return [
      this.isRunning
        ? `working · ${where}Enter sends what you type into the run`
        : `idle · ${where}what you type waits for a run`,
    ];
  }

  async event(event: StoredEvent): Promise<void> {
    const { page, approvalOf } = this.#parts;
    this.#events.push(event);
    this.isRunning = true;
    const approval = await approvalOf(event);
    // All of the question is shown instead.
    page.event(event, approval?.status === "asked" ? undefined : approval);
    if (event.type === "record" && event.kind === "message") this.#taken(event.data);
    if (event.type !== "respond" && event.type !== "think") this.#lookForQuestion();
    page.refresh();
  }

  pieces(pieces: readonly Piece[]): void {
    this.isRunning = true;
    this.#parts.page.pieces(pieces);
    this.#parts.page.refresh();
  }

  idle(): void {
    this.isRunning = false;
    this.#parts.page.idle();
    this.#parts.page.refresh();
  }

  /** The person has typed a line. Returns whether it was taken; else it was no answer to the question that stands. */
  typed(line: string): boolean {
    const question = this.#question;
    const isTooSoon = question !== undefined && this.#now() - this.#askedAt < tooSoon;
    const typed = isTooSoon ? "too soon" : question?.read(line);
    if (question === undefined || typed === undefined) {
      if (this.#late.isLate(line)) this.#remark(lateAnswerText(line));
      else this.#say(line);
    } else if (typed === "more") this.#showQuestion(question);
    else if (typed === "too soon") this.#remark("That line came before the question could be read. Answer it now.");
    else if (typed === "unclear") this.#remark(question.help);
    else {
      question.isSent = true;
      this.#late.closed();
      this.#send(() => messageFor(question.asked.question, typed.answer, typed.reason));
    }
    return typed !== "unclear" && typed !== "too soon";
  }

  /** Ends the run that is watched. */
  cancel(): void {
    if (this.isRunning) {
      this.#remark("The run is told to end.");
      this.#send(() => ({ kind: "cancel" }));
    } else this.#remark("No run is at work, so there is nothing to cancel.");
  }

  #say(line: string): void {
    const content = line.trim();
    if (content !== "") this.#send(() => ({ kind: this.isRunning ? "steer" : "prompt", content }));
  }

  #send(message: () => MessageContent): void {
    const { agent, conversation, resume } = this.#parts;
    const send = async () => {
      const id = crypto.randomUUID();
      this.#sent.add(id);
      await agent.send({ conversation }, message(), { id });
      setTimeout(() => {
        if (!this.#sent.has(id)) return;
        this.#remark(
          this.isRunning
            ? "It is sent. The run reads it before its next request."
            : `It is sent, but no run is at work to read it. It waits for: ${resume}`,
        );
      }, patience).unref();
    };
    send().catch((error: unknown) => {
      this.#remark(`It was not sent: ${error instanceof Error ? messageOf(error) : String(error)}`);
    });
  }

  #taken({ id, refused }: { id?: unknown; refused?: unknown }): void {
    if (this.#sent.delete(String(id)) && refused !== undefined)
      this.#remark(`The run did not take it: ${inPlainWords(String(refused))}`);
  }

  /** Shows the first question that is open, and closes one that somebody has answered. */
  #lookForQuestion(): void {
    const open = questionsOf(this.#events).find(({ question }) => question.open && !question.client);
    if (open?.question.id === this.#question?.asked.question.id) return;
    const { page, scope } = this.#parts;
    if (this.#question) this.#late.closed();
    this.#askedAt = this.#now();
    this.#question = open && new TypedAnswers(open, askedRows(open, page.stream, widthOr(page.stream, 100), scope));
    if (this.#question) this.#showQuestion(this.#question);
  }

  #showQuestion(question: TypedAnswers): void {
    const rows = question.page(this.#parts.page.most());
    this.#parts.page.print(`${rows.join("\n")}\n`);
    this.#parts.page.refresh();
  }

  #remark(text: string): void {
    this.#parts.page.print(`${oneLine(text, 400)}\n`);
    this.#parts.page.refresh();
  }
}
