import type { RecordEvent, UserEvent } from "@cogency/protocol";
import {
  emptyView,
  type Parts,
  type Piece,
  type QuestionPart,
  type View,
  withEvent,
  withPieces,
} from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import type { Change } from "./change.ts";
import { OpenCalls } from "./open-calls.ts";
import { OpenUnit } from "./open-unit.ts";
import type { TurnItem } from "./turn-item.ts";

/**
 * Makes changes of the items of a conversation, in their order: from its first event on, or from any `user` event of a person on. A reader
 * that goes on in the middle of a turn reads the events before too, and drops their changes.
 */
export class ChangeReader {
  #view: View = emptyView;
  /** The id of the answer that is being given: the number of the words that it answers. */
  #turn = "0";
  #hasAnswer = true;
  /** The id of the message whose words come next. */
  #message: string | undefined;
  readonly #unit = new OpenUnit();
  readonly #calls = new OpenCalls();
  /** The ids of those that are open. */
  readonly #questions = new Set<string>();

  /** The changes that an item brings. An `over` closes what is open, unless the turn waits. */
  read(item: TurnItem): Change[] {
    switch (item.type) {
      case "event":
        return this.#readEvent(item.event);
      case "pieces":
        return this.#readPieces(item.pieces);
      case "over":
        return item.ending.status === "waiting"
          ? this.#unit.giveUp()
          : [...this.#unit.giveUp(), ...this.#calls.giveUp()];
    }
  }

  #readPieces(pieces: readonly Piece[]): Change[] {
    this.#view = withPieces(this.#view, pieces);
    const { open, stored } = this.#view;
    if (open.unit || open.calls.length > 0) this.#hasAnswer = true;
    return [...this.#unit.follow(open), ...this.#calls.write(open), ...this.#calls.progress(stored)];
  }

  #readEvent(event: StoredEvent): Change[] {
    if (event.seq <= this.#view.seq) return [];
    if (event.type === "user" && this.#isSettled) this.#view = { ...emptyView, seq: this.#view.seq };
    this.#view = withEvent(this.#view, event);
    const { open, stored } = this.#view;
    const isUnit = (event.type === "think" || event.type === "respond") && event.content !== "";
    const unit = isUnit
      ? this.#unit.settle(event.type === "think" ? "thinking" : "text", event.content)
      : this.#unit.follow(open);
    const answer = [...unit, ...this.#calls.settle(event, this.#view)];
    if (answer.length > 0) this.#hasAnswer = true;
    const own = event.type === "user" ? this.#words(event) : event.type === "record" ? this.#record(event) : [];
    const outcome = [...this.#questionsOf(event, stored), ...outcomeOf(event, stored)];
    if (outcome.length > 0) this.#hasAnswer = true;
    return [...answer, ...own, ...outcome];
  }

  #words(event: UserEvent & { seq: number }): Change[] {
    const { seq, origin } = event;
    if (origin !== undefined && origin !== "untrusted") return [];
    if (this.#hasAnswer) this.#begin(`${seq}`);
    const message = this.#message;
    this.#message = undefined;
    const part = this.#view.stored.findLast((one) => one.type === "user");
    if (part?.type !== "user") return [];
    return [{ type: "user", turn: this.#turn, ...(message !== undefined && { message }), part, seq }];
  }

  /** Nothing before the words that come can change any more: the parts of earlier turns need not be copied with each event. */
  get #isSettled(): boolean {
    return this.#questions.size === 0 && this.#view.parts.every((part) => !("open" in part && part.open));
  }

  #begin(turn: string): void {
    this.#turn = turn;
    this.#hasAnswer = false;
    this.#unit.turn = turn;
    this.#calls.turn = turn;
  }

  #record(event: RecordEvent): Change[] {
    switch (event.kind) {
      case "message":
        if (event.data.refused === undefined && (event.data.kind === "prompt" || event.data.kind === "steer"))
          this.#message = event.data.id;
        return [];
      case "usage": {
        const { duration: _, cost: __, ...usage } = event.data;
        return [{ type: "step", usage }];
      }
      case "title":
        return [{ type: "title", text: event.data.text }];
      case "child":
        return [{ type: "child", data: event.data }];
      default:
        return [];
    }
  }

  /** The question that has come, and those that are closed now. */
  #questionsOf(event: StoredEvent, stored: Parts): Change[] {
    const asked = event.type === "record" && event.kind === "question" ? questionIn(stored, event.data.id) : undefined;
    const isNew = asked?.open && !this.#questions.has(asked.id);
    if (isNew) this.#questions.add(asked.id);
    const closed = [...this.#questions].flatMap((id) => {
      const part = questionIn(stored, id);
      return part && !part.open ? part : [];
    });
    for (const { id } of closed) this.#questions.delete(id);
    return [
      ...(isNew ? [{ type: "question", part: asked } as const] : []),
      ...closed.map((part) => ({ type: "question_end", part }) as const),
    ];
  }
}

function questionIn(parts: Parts, id: string): QuestionPart | undefined {
  return parts.findLast((part): part is QuestionPart => part.type === "question" && part.id === id);
}

/** What an event says of the end of a run, or of what the run survived, as the parts have it. */
function outcomeOf(event: StoredEvent, stored: Parts): Change[] {
  const last = stored.at(-1);
  const kind = event.type === "record" ? event.kind : event.type;
  if (last?.type === "end" && (kind === "run" || kind === "cancelled")) return [{ type: "end", part: last }];
  if (last?.type === "notice" && kind === "notice") return [{ type: "notice", part: last }];
  if (last?.type === "error" && kind === "rejected") return [{ type: "error", part: last }];
  return [];
}
