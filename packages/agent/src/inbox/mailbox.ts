import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Key, Message, Store, StoredMessage } from "@cogency/storage";
import type { KeyRing, RemoteAnswer, RemoteAnswers } from "@cogency/tools";
import { askAgain } from "../log/ask-again.ts";
import { messageStatement } from "./message-statement.ts";

/** A message of the inbox that was read. */
export interface Received {
  readonly id: string;
  readonly message: Message;
  /** Whether somebody with a key of the agent's ring sent it, here and under this id. */
  readonly isProven: boolean;
}

interface MailboxParts {
  store: Pick<Store, "inbox" | "watch">;
  key: Key;
  keyRing: KeyRing;
  /** Called once, with the first message that cancels the run. */
  onCancel(cancel: Received): void;
}

/**
 * The inbox of a conversation, as its run reads it. A message stays in the store until an append of the run takes it; this is
 * what the run knows of the messages that wait there.
 */
export class Mailbox implements RemoteAnswers {
  readonly #parts: MailboxParts;
  readonly #seen = new Set<string>();
  /** By the question; the first one counts. */
  readonly #answers = new Map<string, Received>();
  readonly #waiting = new Map<string, (answer: RemoteAnswer) => void>();
  #steers: Received[] = [];
  #prompts: Received[] = [];
  #cancel: Received | undefined;
  /** Messages without an effect, and why. */
  #refused: { received: Received; why: string }[] = [];
  #changes: AsyncIterator<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: MailboxParts) {
    this.#parts = parts;
  }

  /** Reads the inbox. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    const reading = this.#reading;
    this.#reading = reading.catch(() => {});
    return reading;
  }

  /** Reads the inbox whenever something is posted, until `close`. A store that fails here fails at the run's next append, too. */
  listen(): void {
    const { store, key } = this.#parts;
    const changes = store.watch(key)[Symbol.asyncIterator]();
    this.#changes = changes;
    const follow = async () => {
      while (!this.#isClosed && !(await changes.next()).done) await this.read();
    };
    follow().catch(() => {});
  }

  /** Resolves once everything is read that the run has heard of. Never rejects. */
  async settled(): Promise<void> {
    await this.#reading.catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#changes?.return?.().catch(() => {});
  }

  /** Whether words for the model wait. */
  get hasWords(): boolean {
    return this.#steers.length + this.#prompts.length > 0;
  }

  /** The words of the person for the run that goes on; each is returned once. */
  takeSteers(): Received[] {
    const steers = this.#steers;
    this.#steers = [];
    return steers;
  }

  /** What the next turn begins with: the next prompt, after steers that came too late for the turn before. */
  takeTurn(): Received[] {
    const prompt = this.#prompts.shift();
    return [...this.takeSteers(), ...(prompt ? [prompt] : [])];
  }

  takeCancel(): Received | undefined {
    const cancel = this.#cancel;
    this.#cancel = undefined;
    return cancel;
  }

  /** The messages that have no effect: without a proof, or for a question that is not open. */
  takeRefused(): { received: Received; why: string }[] {
    const refused = this.#refused;
    this.#refused = [];
    return refused;
  }

  /** Refuses the answers that no question of the run has asked for, and a cancel that came too late. */
  refuseRest(): void {
    for (const received of this.#answers.values()) this.#refuse(received, "The question is not open.");
    this.#answers.clear();
    const cancel = this.takeCancel();
    if (cancel) this.#refuse(cancel, "The run had ended.");
  }

  find(question: string): RemoteAnswer | undefined {
    const received = this.#answers.get(question);
    if (!received) return undefined;
    this.#answers.delete(question);
    return answerOf(received);
  }

  has(question: string): boolean {
    return this.#answers.has(question);
  }

  wait(question: string, signal: AbortSignal): Promise<RemoteAnswer> {
    return new Promise((resolve) => {
      const found = this.find(question);
      if (found) return resolve(found);
      this.#waiting.set(question, resolve);
      signal.addEventListener("abort", () => this.#waiting.delete(question), { once: true });
    });
  }

  async #read(): Promise<void> {
    const { store, key } = this.#parts;
    const messages = await askAgain(() => store.inbox(key));
    for (const stored of messages) {
      if (this.#seen.has(stored.id)) continue;
      this.#seen.add(stored.id);
      this.#sort(await this.#received(stored));
    }
  }

  async #received({ id, message }: StoredMessage): Promise<Received> {
    const { key, keyRing } = this.#parts;
    const isProven = await keyRing.verify(messageStatement(key, id, message), message.proof).catch(() => false);
    return { id, message, isProven: isProven === true };
  }

  #sort(received: Received): void {
    const { message, isProven } = received;
    switch (message.kind) {
      case "steer":
        this.#steers.push(received);
        return;
      case "prompt":
        this.#prompts.push(received);
        return;
      case "cancel":
        this.#sortCancel(received);
        return;
      case "approve":
      case "deny":
        if (isProven) this.#sortAnswer(received, message.question);
        else this.#refuse(received, "It has no proof that this agent can verify.");
        return;
      default:
        this.#refuse(received, "This agent does not know such messages.");
    }
  }

  #sortCancel(received: Received): void {
    if (this.#cancel) {
      this.#refuse(received, "The run is being cancelled.");
      return;
    }
    this.#cancel = received;
    this.#parts.onCancel(received);
  }

  #sortAnswer(received: Received, question: string): void {
    const waiting = this.#waiting.get(question);
    this.#waiting.delete(question);
    if (waiting) waiting(answerOf(received));
    else if (this.#answers.has(question)) this.#refuse(received, "The question was answered before.");
    else this.#answers.set(question, received);
  }

  #refuse(received: Received, why: string): void {
    this.#refused.push({ received, why });
  }
}

function answerOf({ id, message }: Received): RemoteAnswer {
  const { reason } = message as { reason?: string };
  return {
    approved: message.kind === "approve",
    ...(reason !== undefined && { reason }),
    ...(message.from !== undefined && { by: message.from }),
    message: id,
  };
}

/** The record that a message was taken. */
export function messageRecord({ id, message }: Received, timestamp: number, refused?: string): RecordEvent {
  const { kind, from } = message;
  const data = { id, kind, ...(from !== undefined && { from }), ...(refused !== undefined && { refused }) };
  return { type: "record", kind: "message", data, timestamp };
}

/** The events of words for the model. Without a proof they are text that no person vouches for. */
export function wordsOf(received: Received, timestamp: number): LogEvent[] {
  const { message, isProven } = received;
  const { content } = message as { content: string };
  const record = messageRecord(received, timestamp);
  if (isProven) return [record, { type: "user", content, timestamp }];
  const source = `a message${message.from === undefined ? "" : ` from ${message.from}`}`;
  return [
    record,
    { type: "user", content, origin: "untrusted", timestamp },
    { type: "record", kind: "content", data: { holds: "untrusted", source }, timestamp },
  ];
}
