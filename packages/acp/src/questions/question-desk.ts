import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Json } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { QuestionDetails, Questions } from "@cogency/server";
import type { Change } from "@cogency/server/bridge";
import type { Key, MessageContent, StoredEvent } from "@cogency/storage";
import { EditorGone } from "../connection/ask-editor.ts";
import type { Wire } from "../connection/wire.ts";
import { askAnswer } from "./ask-answer.ts";
import { askedCall, permissionOptions, ruleOf } from "./permission.ts";

export interface DeskParts {
  key: Key;
  wire: Wire;
  hasForms: boolean;
  questions: Questions | undefined;
  shownCall(id: string): ToolCallUpdate;
  /** Posts an answer; resolves to the id of the message. */
  send(message: MessageContent): Promise<string>;
  /** An answer was posted, or declined: somebody has to go on with the conversation. */
  onAnswered(): void;
  onError(error: unknown): void;
}

interface Asked {
  readonly part: QuestionPart;
  readonly closing: AbortController;
  /** How often it was asked. */
  times: number;
}

/** Puts the open questions of a conversation to the person at the editor, until somebody has answered them, here or elsewhere. */
export class QuestionDesk {
  readonly #parts: DeskParts;
  readonly #open = new Map<string, Asked>();
  /** The questions of the messages that were posted. */
  readonly #posted = new Map<string, string>();
  /** The questions of tools that nobody here answers. */
  readonly #declined = new Set<string>();
  #isOpen = false;
  /** Counts what was answered, declined and closed. */
  #moves = 0;
  #moved = Promise.withResolvers<void>();
  #failed: { readonly error: unknown } | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** How far the questions are. */
  get mark(): number {
    return this.#moves;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether a person has declined to answer an open question of a tool. */
  get hasDeclined(): boolean {
    return [...this.#declined].some((id) => this.#open.has(id));
  }

  /**
   * Resolves when a question was answered, declined or closed since `mark`, or the signal aborts.
   *
   * @throws what kept an answer out of the log
   */
  async moved(mark: number, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => aborted.resolve(), { once: true });
    while (this.#moves === mark && !signal.aborted) await Promise.race([this.#moved.promise, aborted.promise]);
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed && !signal.aborted) throw failed.error;
  }

  /** Answers a question in the place of the person who has declined it, by throwing; waits for the person with any other one. */
  async answerFor(question: string, signal: AbortSignal): Promise<never> {
    if (!this.#declined.has(question))
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    throw new Error("The person does not answer this question.");
  }

  /** Asks from now on; those that are open at once. */
  open(): void {
    this.#isOpen = true;
    for (const asked of this.#open.values()) void this.#ask(asked);
  }

  read(changes: readonly Change[], event: StoredEvent | undefined): void {
    for (const change of changes) {
      if (change.type === "question" && !change.part.client) this.#add(change.part);
      if (change.type === "question_end") this.#close(change.part.id);
    }
    if (event?.type === "record" && event.kind === "message") this.#readRefusal(event.data);
  }

  /** Somebody else has posted an answer, which the run that takes it reads. */
  answeredElsewhere(): void {
    this.#move();
  }

  /** Takes back what the editor shows. The questions stay open in the log. */
  withdraw(): void {
    for (const { closing } of this.#open.values()) closing.abort();
  }

  close(): void {
    this.#isOpen = false;
    this.withdraw();
    this.#open.clear();
    this.#move();
  }

  #add(part: QuestionPart): void {
    const asked: Asked = { part, closing: new AbortController(), times: 0 };
    this.#open.set(part.id, asked);
    if (this.#isOpen) void this.#ask(asked);
  }

  #close(id: string): void {
    const asked = this.#open.get(id);
    if (!asked) return;
    this.#open.delete(id);
    asked.closing.abort();
    this.#move();
  }

  /** An answer that does not count: the question stands, and is asked again. */
  #readRefusal({ id, refused }: { id?: unknown; refused?: unknown } = {}): void {
    const question = typeof id === "string" && refused !== undefined ? this.#posted.get(id) : undefined;
    const asked = question === undefined ? undefined : this.#open.get(question);
    if (asked) void this.#ask(asked);
  }

  #move(): void {
    this.#moves++;
    const { resolve } = this.#moved;
    this.#moved = Promise.withResolvers();
    resolve();
  }

  async #ask(asked: Asked): Promise<void> {
    const { part, closing } = asked;
    if (closing.signal.aborted) return;
    asked.times++;
    try {
      const message = await this.#answerOf(asked);
      if (closing.signal.aborted || !this.#isOpen) return;
      if (message) this.#posted.set(await this.#parts.send(message), part.id);
      else this.#declined.add(part.id);
      this.#move();
      this.#parts.onAnswered();
    } catch (error) {
      // What was taken back, or what an editor that is gone did not answer, stays open.
      if (closing.signal.aborted || !this.#isOpen || error instanceof EditorGone) return;
      this.#parts.onError(error);
      this.#failed = { error };
      this.#move();
    }
  }

  /** Undefined for the question of a tool that the person does not answer. */
  async #answerOf(asked: Asked): Promise<MessageContent | undefined> {
    const isApproval = asked.part.asks === "approval";
    try {
      return await (isApproval ? this.#askApproval(asked) : this.#askAnswer(asked));
    } catch (error) {
      // An editor that is gone has not refused. Anything else would be wrong the next time, too.
      if (error instanceof EditorGone || asked.closing.signal.aborted) throw error;
      this.#parts.onError(error);
      return isApproval
        ? { kind: "deny", question: asked.part.id, reason: "The person could not be asked." }
        : undefined;
    }
  }

  async #askApproval({ part, closing }: Asked): Promise<MessageContent> {
    const { key, wire, questions, shownCall } = this.#parts;
    const question = part.id;
    for (;;) {
      const details = (await questions?.describe(key, question)) ?? noDetails;
      const options = permissionOptions(details);
      const toolCall = askedCall(part, shownCall(part.call), details);
      const { outcome } = await wire.permission({ toolCall, options }, closing.signal);
      const chosen = outcome.outcome === "selected" ? outcome.optionId : "deny";
      const isKnown = options.some(({ optionId }) => optionId === chosen);
      if (!isKnown || chosen === "deny") return { kind: "deny", question };
      const rule = ruleOf(chosen, details);
      // The rule is not offered any more: asked again with those that are.
      if (rule === undefined || (await questions?.keep(key, question, rule))) return { kind: "approve", question };
    }
  }

  /** Undefined if the person does not answer. */
  async #askAnswer({ part, closing, times }: Asked): Promise<MessageContent | undefined> {
    if (times > mostTimes) return undefined;
    const { wire, hasForms, shownCall } = this.#parts;
    const given: { answer: Json } | undefined = await askAnswer(part, {
      wire,
      hasForms,
      toolCall: shownCall(part.call),
      signal: closing.signal,
    });
    return given && { kind: "answer", question: part.id, content: given.answer };
  }
}

const noDetails: QuestionDetails = { facts: [], rules: [] };

/** Answers that do not fit, after which a question is declined. */
const mostTimes = 3;
