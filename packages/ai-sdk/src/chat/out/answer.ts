import type { Change, TurnEnding } from "@cogency/server/bridge";
import type { ChatChunk } from "../message.ts";
import { AnswerCalls } from "./answer-calls.ts";
import { AnswerEnd } from "./answer-end.ts";
import { Draft } from "./draft.ts";
import { type AnswerPart, isTool } from "./part.ts";
import { partChunks } from "./part-chunks.ts";

/** One message of the assistant: it turns the changes of its turn into chunks, and keeps what they make. */
export class Answer {
  readonly draft: Draft;
  /** A run has ended, and nothing has come since. */
  isOver = false;
  readonly #calls: AnswerCalls;
  readonly #end = new AnswerEnd();
  /** The part `step-start` of the current step is there. */
  #isInStep = false;
  /** The ids of text and reasoning, which the parts do not all have. */
  readonly #unitIds = new Map<AnswerPart, string>();
  #notices = 0;
  #isNoticeOpen = false;

  constructor(id: string) {
    this.draft = new Draft(id);
    this.#calls = new AnswerCalls(this.draft);
  }

  get id(): string {
    return this.draft.id;
  }

  /** How its last run has ended. */
  get ending(): TurnEnding {
    const { status = "completed", stop, error } = this.#end.metadata;
    const message = (error ?? stop)?.message;
    return { status, ...(message !== undefined && { message }) };
  }

  get isEmpty(): boolean {
    return this.draft.parts.length === 0;
  }

  /** The chunks that a change brings. */
  read(change: Change): ChatChunk[] {
    return this.#told((put) => {
      if (change.type !== "notice" && change.type !== "title") this.#closeNotice(put);
      this.#readOne(change, put);
    });
  }

  /** The next turn begins. */
  leave(): ChatChunk[] {
    return this.#told((put) => this.#closeNotice(put));
  }

  /** Words that came into the middle of the answer. */
  steer(id: string, text: string): ChatChunk[] {
    return this.#told((put) => put({ type: "data-steer", id, data: { text } }));
  }

  /** The chunks that make the answer so far, after `start`. */
  replay(): ChatChunk[] {
    const { parts } = this.draft;
    const first = parts.findIndex(({ type }) => type === "step-start");
    const chunks = parts.flatMap((part, at): ChatChunk[] => [
      ...(part.type === "step-start" && at > first ? [{ type: "finish-step" } as const] : []),
      ...partChunks(part, this.#unitIds.get(part) ?? `${at}`),
    ]);
    return first >= 0 && !this.#isInStep ? [...chunks, { type: "finish-step" }] : chunks;
  }

  /** What stands at the end of a stream, also of one that ends because a person is asked. */
  finish(ending: TurnEnding): ChatChunk[] {
    const open = ending.status === "waiting" ? this.#calls.withoutProgress() : [];
    const chunks: ChatChunk[] = [...open, { type: "finish-step" }, ...this.#end.chunks(ending)];
    for (const chunk of chunks) this.draft.apply(chunk);
    return chunks;
  }

  /** Completes the metadata of an answer that nobody follows. */
  settle(): void {
    this.draft.apply({ type: "message-metadata", messageMetadata: this.#end.metadata });
  }

  #told(tell: (put: (...chunks: ChatChunk[]) => void) => void): ChatChunk[] {
    const told: ChatChunk[] = [];
    tell((...chunks) => {
      for (const chunk of chunks) this.draft.apply(chunk);
      told.push(...chunks);
    });
    return told;
  }

  #readOne(change: Change, put: (...chunks: ChatChunk[]) => void): void {
    switch (change.type) {
      case "unit":
        this.#beginStep(put);
        put({ type: change.kind === "text" ? "text-start" : "reasoning-start", id: change.id });
        this.#name(change.id);
        break;
      case "unit_delta":
        this.#grow(change.id, change.text, put);
        break;
      case "unit_end":
        this.#endUnit(change.id, change.text, put);
        break;
      case "call":
      case "call_ready":
        this.#beginStep(put);
        put(...this.#calls.read(change));
        break;
      case "call_end": {
        if (change.outcome === "refused")
          this.#rewrite((part) => !(isTool(part) && part.toolCallId === change.id), put);
        else put(...this.#calls.read(change));
        break;
      }
      case "step":
        this.#end.count(change.usage);
        // Of a step whose calls were refused, the log has nothing else.
        this.#beginStep(put);
        put({ type: "finish-step" });
        this.#isInStep = false;
        break;
      case "error":
        put({ type: "data-error", data: { code: change.part.code, message: change.part.message }, transient: true });
        break;
      case "title":
        put({ type: "data-title", data: { text: change.text }, transient: true });
        break;
      case "notice": {
        const { type: _, open: __, ...data } = change.part;
        if (!this.#isNoticeOpen) this.#notices++;
        this.#isNoticeOpen = true;
        put({ type: "data-notice", id: `notice-${this.#notices}`, data: { ...data, open: true } });
        break;
      }
      case "end":
        this.#end.read(change.part);
        this.isOver = change.part.status !== "waiting";
        break;
      default:
        put(...this.#calls.read(change));
    }
  }

  #beginStep(put: (chunk: ChatChunk) => void): void {
    this.isOver = false;
    if (this.#isInStep) return;
    this.#isInStep = true;
    put({ type: "start-step" });
  }

  #name(id: string): void {
    const part = this.draft.unit(id);
    if (part) this.#unitIds.set(part, id);
  }

  #grow(id: string, text: string, put: (chunk: ChatChunk) => void): void {
    const unit = this.draft.unit(id);
    if (!unit || text === "") return;
    put({ type: unit.type === "text" ? "text-delta" : "reasoning-delta", id, delta: text });
  }

  /** A text that is not the one that was sent, or of which nothing is stored, is taken back. */
  #endUnit(id: string, text: string | undefined, put: (...chunks: ChatChunk[]) => void): void {
    const unit = this.draft.unit(id);
    if (!unit) return;
    if (text === undefined) {
      this.#rewrite((part) => part !== unit, put);
      return;
    }
    if (!text.startsWith(unit.text)) {
      unit.text = text;
      this.#rewrite(() => true, put);
    } else this.#grow(id, text.slice(unit.text.length), put);
    put({ type: unit.type === "text" ? "text-end" : "reasoning-end", id });
  }

  /** Makes the current step anew, with the parts that are kept. */
  #rewrite(isKept: (part: AnswerPart) => boolean, put: (...chunks: ChatChunk[]) => void): void {
    const kept = this.draft.step.filter(isKept);
    put({ type: "reset-step" });
    for (const part of kept) {
      const id = this.#unitIds.get(part) ?? "";
      put(...partChunks(part, id));
      if (id !== "") this.#unitIds.set(this.draft.parts.at(-1) ?? part, id);
    }
  }

  #closeNotice(put: (chunk: ChatChunk) => void): void {
    if (!this.#isNoticeOpen) return;
    this.#isNoticeOpen = false;
    const id = `notice-${this.#notices}`;
    const part = this.draft.parts.find((one) => "id" in one && one.id === id);
    if (!part || !("data" in part)) return;
    const { code, message } = part.data as { code: string; message: string };
    put({ type: "data-notice", id, data: { code, message, open: false } });
  }
}
