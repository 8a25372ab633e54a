import type { QuestionPart, UserPart } from "@cogency/protocol/parts";
import { type Change, ChangeReader, type TurnItem } from "@cogency/server/bridge";
import type { StoredEvent } from "@cogency/storage";
import type { ChatChunk, ChatMessage } from "../message.ts";
import { Answer } from "./answer.ts";
import { userMessage } from "./user-message.ts";

/** Chunks, and the answer that they belong to. */
export interface Told {
  readonly answer: Answer;
  readonly chunks: readonly ChatChunk[];
}

/** Words of a person, as the log has them. */
export interface Words {
  readonly id: string;
  readonly part: UserPart;
  readonly answer: Answer;
}

/** A conversation as a page of `useChat` shows it: messages of users, and one answer for each turn. */
export class Conversation {
  readonly #changes = new ChangeReader();
  readonly #entries: (Words | Answer)[] = [];
  readonly #words = new Map<string, Words>();
  readonly #answers = new Map<string, Answer>();
  /** The answers of calls. */
  readonly #calls = new Map<string, Answer>();
  /** The kinds of the messages of the inbox that were read, or what refused them. */
  readonly #messages = new Map<string, { readonly kind: string; readonly refused?: string }>();
  readonly #open = new Map<string, QuestionPart>();
  /** Questions that are closed, with the numbers of the events that closed them. */
  readonly #closed: { readonly question: QuestionPart; readonly seq: number }[] = [];
  #current: Answer | undefined;
  /** The turn of its words. */
  #turn = "0";
  #seq = 0;

  /** The answer of the last turn. */
  get current(): Answer | undefined {
    return this.#current;
  }

  get openQuestions(): readonly QuestionPart[] {
    return [...this.#open.values()];
  }

  /** What a message of the inbox became: undefined for one that nobody has read yet. */
  message(id: string): { readonly kind: string; readonly refused?: string } | undefined {
    return this.#messages.get(id);
  }

  /** The words of a message of the inbox. */
  wordsOf(id: string): Words | undefined {
    return this.#words.get(id);
  }

  answer(id: string): Answer | undefined {
    return this.#answers.get(id);
  }

  /** The number of the event that first closed one of these questions. */
  closedAt(isOne: (question: QuestionPart) => boolean): number | undefined {
    return this.#closed.find(({ question }) => isOne(question))?.seq;
  }

  /** The last words that were asked under an id, or for it once more: see `nextOf`. */
  lastOf(id: string): Words | undefined {
    return [...this.#words.values()].findLast((words) => words.id === id || isAgain(words.id, id));
  }

  /** The id under which words are asked once more. */
  nextOf(id: string): string {
    return `${beginningOf(id)}${[...this.#words.keys()].filter((one) => isAgain(one, id)).length + 1}`;
  }

  read(item: TurnItem): Told[] {
    const told = item.type === "event" ? this.#readMessage(item.event) : [];
    return [...told, ...this.#changes.read(item).flatMap((change) => this.#readChange(change))];
  }

  /** Notes a message of the inbox. Why an answer was refused is told where it was given. */
  #readMessage(event: StoredEvent): Told[] {
    this.#seq = event.seq;
    if (event.type !== "record" || event.kind !== "message") return [];
    const { id, kind, refused } = event.data;
    this.#messages.set(id, { kind, ...(refused !== undefined && { refused }) });
    const answer = this.#current;
    if (refused === undefined || !answers.has(kind) || !answer) return [];
    const data = { code: "refused", message: refused };
    return [{ answer, chunks: [{ type: "data-error", data, transient: true }] }];
  }

  /** The messages, those of users too. An answer of which nothing is there is left out. */
  messages(): ChatMessage[] {
    return this.#entries.flatMap((entry): ChatMessage[] => {
      if (!(entry instanceof Answer)) return [userMessage(entry.id, entry.part)];
      entry.settle();
      const { id, parts, metadata } = entry.draft;
      if (parts.length === 0) return [];
      // The reader of the AI SDK makes the same of the same chunks, and its types are those of what it makes.
      return [{ id, role: "assistant", metadata, parts: parts as ChatMessage["parts"] }];
    });
  }

  #readChange(change: Change): Told[] {
    if (change.type === "user") return this.#readWords(change);
    if (change.type === "question") this.#open.set(change.part.id, change.part);
    if (change.type === "question_end") {
      this.#open.delete(change.part.id);
      this.#closed.push({ question: change.part, seq: this.#seq });
    }
    const answer = this.#answerOf(change);
    const chunks = answer.read(change);
    return chunks.length === 0 ? [] : [{ answer, chunks }];
  }

  /** What belongs to a call stands in the answer of the call. */
  #answerOf(change: Change): Answer {
    const call = callOf(change);
    const owner = call === undefined ? undefined : this.#calls.get(call);
    const answer = owner ?? this.#current ?? this.#start(new Answer(this.#turn)).answer;
    if (call !== undefined) this.#calls.set(call, answer);
    return answer;
  }

  #readWords({ turn, message, part, seq }: Extract<Change, { type: "user" }>): Told[] {
    const id = message ?? `user-${seq}`;
    const current = this.#current;
    const isSteer = message !== undefined && this.#messages.get(message)?.kind === "steer";
    if (current && isSteer && !current.isEmpty && !current.isOver)
      return [{ answer: current, chunks: current.steer(id, part.content) }];
    if (current && this.#turn === turn) {
      this.#entries.splice(this.#entries.lastIndexOf(current), 0, this.#note({ id, part, answer: current }));
      return [];
    }
    const closed = current ? [{ answer: current, chunks: current.leave() }] : [];
    // A page with two messages of one id would put one in the place of the other.
    const isTaken = id === turn || this.wordsOf(turn) !== undefined;
    const answer = new Answer(isTaken ? `answer-${turn}` : turn);
    this.#turn = turn;
    this.#entries.push(this.#note({ id, part, answer }));
    return [...closed, this.#start(answer)];
  }

  #note(words: Words): Words {
    if (!this.#words.has(words.id)) this.#words.set(words.id, words);
    return words;
  }

  #start(answer: Answer): Told {
    this.#current = answer;
    this.#answers.set(answer.id, answer);
    this.#entries.push(answer);
    return { answer, chunks: [] };
  }
}

const answers: ReadonlySet<string> = new Set(["answer", "approve", "deny"]);

function callOf(change: Change): string | undefined {
  if (change.type === "question" || change.type === "question_end") return change.part.call;
  return change.type.startsWith("call") && "id" in change ? change.id : undefined;
}

function isAgain(id: string, first: string): boolean {
  return id.startsWith(beginningOf(first)) && /^\d+$/.test(id.slice(beginningOf(first).length));
}

function beginningOf(id: string): string {
  return `${id.slice(0, 120)}~`;
}
