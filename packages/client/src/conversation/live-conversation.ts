import type { Json, ToolCall } from "@cogency/protocol";
import { ClientError } from "../client-error.ts";
import type { Conversation, ConversationSnapshot, Message, MessageOptions, QuestionFacts } from "../conversation.ts";
import { Followers } from "../followers.ts";
import type { Requests } from "../http/requests.ts";
import { Connection, type ConnectionState } from "../stream/connection.ts";
import type { ServerEvent } from "../stream/event-parser.ts";
import { messageId } from "./message-id.ts";
import { type FoundMessage, Outbox } from "./outbox.ts";
import { statusOf } from "./status-of.ts";
import { type ConversationHeader, Transcript } from "./transcript.ts";

/** What a conversation needs of its client. */
export interface Home<Call extends ToolCall> {
  readonly requests: Requests;
  conversation(id: string): Conversation<Call>;
  /** Keeps the object of a conversation that somebody follows, or that has messages to post. */
  keep(conversation: object, isInUse: boolean): void;
}

export class LiveConversation<Call extends ToolCall> implements Conversation<Call> {
  readonly id: string;
  readonly #home: Home<Call>;
  readonly #path: string;
  readonly #followers = new Followers(
    () => this.#connection.open(),
    () => this.#leave(),
  );
  readonly #outbox: Outbox;
  readonly #connection: Connection;
  #transcript = new Transcript();
  #state: ConnectionState = "connecting";
  #error: ClientError | undefined;
  #isLoaded = false;
  /** The last number of the log when the server was asked; undefined until it has answered. */
  #events: number | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #snapshot: ConversationSnapshot<Call> | undefined;

  constructor(home: Home<Call>, id: string) {
    this.id = id;
    this.#home = home;
    this.#path = `/conversations/${encodeURIComponent(id)}`;
    this.#outbox = new Outbox(home.requests, `${this.#path}/messages`, () => this.#change());
    this.#connection = new Connection({
      requests: home.requests,
      path: `${this.#path}/events`,
      after: () => this.#transcript.seq,
      onOpen: () => this.#opened(),
      onEvents: (events) => this.#read(events),
      onDeleted: () => this.#reset(),
      onState: (state, error) => this.#connected(state, error),
    });
  }

  get snapshot(): ConversationSnapshot<Call> {
    const { view, title, usage } = this.#transcript;
    const waiting = this.#outbox.messages;
    this.#snapshot ??= {
      parts: view.parts as ConversationSnapshot<Call>["parts"],
      status: this.#isLoaded ? statusOf(this.#transcript, waiting) : "loading",
      connection: this.#state,
      ...(this.#error && { error: this.#error }),
      title,
      waiting,
      usage,
    };
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    const unsubscribe = this.#followers.add(listener);
    this.#keep();
    return unsubscribe;
  }

  send(content: string, { attachments, id = messageId() }: MessageOptions = {}): Promise<void> {
    return this.#post({ kind: "prompt", content, ...(attachments && { attachments }) }, id);
  }

  steer(content: string, { attachments, id = messageId() }: MessageOptions = {}): Promise<void> {
    return this.#post({ kind: "steer", content, ...(attachments && { attachments }) }, id);
  }

  approve(
    question: string,
    { rule, reason }: { rule?: string | undefined; reason?: string | undefined } = {},
  ): Promise<void> {
    return this.#post({
      kind: "approve",
      question,
      ...(rule !== undefined && { rule }),
      ...(reason !== undefined && { reason }),
    });
  }

  deny(question: string, reason?: string): Promise<void> {
    return this.#post({ kind: "deny", question, ...(reason !== undefined && { reason }) });
  }

  answer(question: string, content: Json): Promise<void> {
    return this.#post({ kind: "answer", question, content });
  }

  cancel(reason?: string): Promise<void> {
    return this.#post({ kind: "cancel", ...(reason !== undefined && { reason }) });
  }

  retry(id: string): boolean {
    return this.#outbox.retry(id);
  }

  discard(id: string): boolean {
    return this.#outbox.discard(id);
  }

  async describe(question: string): Promise<QuestionFacts> {
    const path = `${this.#path}/questions?id=${encodeURIComponent(question)}`;
    return (await this.#home.requests.json(path)) as QuestionFacts;
  }

  async fork(at?: number): Promise<Conversation<Call>> {
    const answer = await this.#home.requests.json(`${this.#path}/fork`, {
      method: "POST",
      body: JSON.stringify({ at }),
    });
    return this.#home.conversation((answer as { conversation: string }).conversation);
  }

  async rename(title: string): Promise<void> {
    const answer = await this.#home.requests.json(this.#path, { method: "PATCH", body: JSON.stringify({ title }) });
    this.#transcript.title = (answer as { title?: string } | undefined)?.title ?? title;
    this.#change();
  }

  async delete(): Promise<void> {
    await this.#home.requests.json(this.#path, { method: "DELETE" });
    this.#reset();
  }

  reconnect(): void {
    this.#outbox.wake();
    this.#connection.restart();
  }

  #post(message: Message, id = messageId()): Promise<void> {
    const posted = this.#outbox.post(id, message);
    this.#keep();
    return posted;
  }

  #opened(): void {
    this.#outbox.wake();
    this.#transcript.hasPieces = false;
    void this.#ask();
  }

  #connected(state: ConnectionState, error: ClientError | undefined): void {
    if (state === this.#state && error === this.#error) return;
    this.#state = state;
    this.#error = error;
    this.#change();
  }

  #read(events: readonly ServerEvent[]): void {
    const transcript = this.#transcript;
    let isUnsure = false;
    try {
      for (const event of events) isUnsure = transcript.read(event) || isUnsure;
    } catch (cause) {
      throw new ClientError("bad_response", "The server sent an event that is not JSON.", { cause });
    } finally {
      this.#outbox.take(transcript.taken);
      this.#settle();
      this.#change();
    }
    if (isUnsure) void this.#ask();
  }

  /** Asks what the events do not say: whether they are all, what the conversation does, and what waits for it. */
  async #ask(): Promise<void> {
    const { requests } = this.#home;
    const transcript = this.#transcript;
    try {
      const header = (await requests.json(this.#path)) as ConversationHeader;
      if (transcript !== this.#transcript) return;
      transcript.know(header);
      this.#events = header.events;
      this.#settle();
      if (header.state === "idle") return;
      const waiting = (await requests.json(`${this.#path}/messages`)) as FoundMessage[];
      if (transcript === this.#transcript) this.#outbox.find(waiting, transcript.taken);
    } catch {
      // There is no conversation yet, or the stream tells the same trouble. What the events say is enough.
      this.#events ??= 0;
      this.#settle();
    } finally {
      this.#change();
    }
  }

  /** Whether the events so far are here: the server leaves out some, so the last one may not come. */
  #settle(): void {
    if (this.#isLoaded || this.#events === undefined) return;
    clearTimeout(this.#quiet);
    if (this.#events > 0 && this.#transcript.seq < this.#events) {
      this.#quiet = setTimeout(() => this.#loaded(), quiet);
    } else this.#loaded();
  }

  #loaded(): void {
    this.#isLoaded = true;
    this.#change();
  }

  /** The conversation was deleted. One of the same name may begin. */
  #reset(): void {
    this.#transcript = new Transcript();
    this.#outbox.forget();
    this.#loaded();
    this.#connection.restart();
  }

  #leave(): void {
    this.#connection.close();
    clearTimeout(this.#quiet);
    this.#keep();
  }

  #keep(): void {
    const isPosting = this.#outbox.messages.some(({ state }) => state === "sending");
    this.#home.keep(this, this.#followers.size > 0 || isPosting);
  }

  #change(): void {
    this.#snapshot = undefined;
    this.#followers.tell();
    this.#keep();
  }
}

/** Milliseconds without an event after which the events count as complete. */
const quiet = 150;
