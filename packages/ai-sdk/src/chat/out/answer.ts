import type { Usage } from "@cogency/protocol";
import type { Change, TurnEnding } from "@cogency/server/bridge";
import type { ChatChunk } from "../message.ts";
import { AnswerCalls } from "./answer-calls.ts";
import { AnswerEnd } from "./answer-end.ts";
import { AnswerNotices } from "./answer-notices.ts";
import { Draft } from "./draft.ts";
import { isTool } from "./part.ts";
import { partChunks } from "./part-chunks.ts";
import { rewritten, unitChunks } from "./unit-chunks.ts";

/** One message of the assistant: it turns the changes of its turn into chunks, and keeps what they make. */
export class Answer {
  readonly draft: Draft;
  /** A run has ended, and nothing has come since. */
  isOver = false;
  readonly #calls: AnswerCalls;
  readonly #notices = new AnswerNotices();
  readonly #end = new AnswerEnd();
  /** The part `step-start` of the current step is there. */
  #isInStep = false;

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
    const closed = change.type === "notice" || change.type === "title" ? [] : this.#notices.close();
    return this.#told([...closed, ...this.#chunksOf(change)]);
  }

  /** The next turn begins. */
  leave(): ChatChunk[] {
    return this.#told(this.#notices.close());
  }

  /** Words that came into the middle of the answer. */
  steer(id: string, text: string): ChatChunk[] {
    return this.#told([{ type: "data-steer", id, data: { text } }]);
  }

  /** The chunks that make the answer so far, after `start`. */
  replay(): ChatChunk[] {
    const { parts } = this.draft;
    const first = parts.findIndex(({ type }) => type === "step-start");
    const chunks = parts.flatMap((part, at): ChatChunk[] => [
      ...(part.type === "step-start" && at > first ? [{ type: "finish-step" } as const] : []),
      ...partChunks(part, this.draft.idOf(part)),
    ]);
    return first >= 0 && !this.#isInStep ? [...chunks, { type: "finish-step" }] : chunks;
  }

  /** What stands at the end of a stream, also of one that ends because a person is asked. Its step may have ended before. */
  finish(ending: TurnEnding): ChatChunk[] {
    const open = ending.status === "waiting" ? this.#calls.withoutProgress() : [];
    return this.#told([...open, { type: "finish-step" }, ...this.#end.chunks(ending)]);
  }

  /** Completes the metadata of an answer that nobody follows. */
  settle(): void {
    this.#told([{ type: "message-metadata", messageMetadata: this.#end.metadata }]);
  }

  #told(chunks: ChatChunk[]): ChatChunk[] {
    for (const chunk of chunks) this.draft.apply(chunk);
    return chunks;
  }

  #chunksOf(change: Change): ChatChunk[] {
    switch (change.type) {
      case "unit":
        return [...this.#beginStep(), ...unitChunks(this.draft, change)];
      case "unit_delta":
      case "unit_end":
        return unitChunks(this.draft, change);
      case "call":
      case "call_ready":
        return [...this.#beginStep(), ...this.#calls.read(change)];
      case "call_end":
        return change.outcome === "refused" ? this.#without(change.id) : this.#calls.read(change);
      case "step":
        return this.#endStep(change.usage);
      case "error": {
        const { code, message } = change.part;
        return [{ type: "data-error", data: { code, message }, transient: true }];
      }
      case "title":
        return [{ type: "data-title", data: { text: change.text }, transient: true }];
      case "notice":
        return this.#notices.open(change.part);
      case "end":
        this.#end.read(change.part);
        this.isOver = change.part.status !== "waiting";
        return [];
      default:
        return this.#calls.read(change);
    }
  }

  #beginStep(): ChatChunk[] {
    this.isOver = false;
    if (this.#isInStep) return [];
    this.#isInStep = true;
    return [{ type: "start-step" }];
  }

  /** Of a step whose calls were refused, the log has nothing else. */
  #endStep(usage: Usage): ChatChunk[] {
    const begun = this.#beginStep();
    this.#isInStep = false;
    this.#end.count(usage);
    return [...begun, { type: "finish-step" }];
  }

  /** The current step without a call, whose block was refused. */
  #without(call: string): ChatChunk[] {
    return rewritten(this.draft, (part) => (isTool(part) && part.toolCallId === call ? undefined : part));
  }
}
