import type { Attachment, Json, ToolCall, Usage } from "@cogency/protocol";
import type { PartsOf } from "./call-parts.ts";
import type { ClientError } from "./client-error.ts";
import type { ConnectionState } from "./stream/connection.ts";

/** A conversation of the server. Its object is the same as long as anybody holds it. */
export interface Conversation<Call extends ToolCall = ToolCall> {
  readonly id: string;
  /** What is known now. Another object after each change, in which everything that has not changed is the same. */
  readonly snapshot: ConversationSnapshot<Call>;
  /**
   * Calls `listener` after each change, until the function that it returns is called. The conversation is followed while somebody
   * subscribes.
   */
  subscribe(listener: () => void): () => void;

  /**
   * Posts the next words of the person, which begin a turn when the one before has ended. They stand in `waiting` until a run has read
   * them. Without a network they wait here, in their order, and are posted once, however often it is tried.
   *
   * @returns resolves when the server has them. Rejects with a ClientError if it refuses them, or when they are discarded; then it
   * needs no listener, because `waiting` shows it too.
   */
  send(text: string, options?: MessageOptions): Promise<void>;
  /** As `send`, for words that the model reads before its next request, in the middle of a turn. */
  steer(text: string, options?: MessageOptions): Promise<void>;
  /**
   * Lets the call of a question run. `rule` is one that {@link Conversation.describe} offers: it is kept, and allows such calls from then
   * on. Resolves as `send` does, and so do the others.
   */
  approve(question: string, options?: { rule?: string | undefined; reason?: string | undefined }): Promise<void>;
  /** Keeps the call of a question from running. The model reads the reason. */
  deny(question: string, reason?: string): Promise<void>;
  /** Answers what a tool asks, with a value that fits the schema of the question. */
  answer(question: string, content: Json): Promise<void>;
  /** Ends the run. It goes to the server before messages that wait for the network. */
  cancel(reason?: string): Promise<void>;

  /** Tries to post a message of `waiting` that has failed, as it was. False if there is none of this id. */
  retry(id: string): boolean;
  /** Takes a message that the server does not have out of `waiting`. False if there is none of this id. */
  discard(id: string): boolean;

  /** What the host adds to a question that is open: facts to read, and rules that `approve` may keep. */
  describe(question: string): Promise<QuestionFacts>;
  /** Begins another conversation with the first `at` events of this one, or with all. */
  fork(at?: number): Promise<Conversation<Call>>;
  /** Names the conversation: 1 to 80 characters. */
  rename(title: string): Promise<void>;
  delete(): Promise<void>;
  /** Connects again now, such as after the user has signed in. */
  reconnect(): void;
}

export interface ConversationSnapshot<Call extends ToolCall = ToolCall> {
  /** What the screen shows, with letters as they come. A letter makes one new part and the list. */
  readonly parts: PartsOf<Call>;
  /**
   * - `loading`: the events so far are not here yet
   * - `idle`: the last turn has ended, or none has begun
   * - `running`: a turn goes on, or words wait for one
   * - `waiting`: a person is asked, see the open questions of `parts`
   * - `parked`: nothing goes on until somebody who runs the service says so; the last notice of `parts` says why
   */
  readonly status: ConversationStatus;
  readonly connection: ConnectionState;
  /** Why the connection failed the last time, while it is not `open`. */
  readonly error?: ClientError;
  /** Empty until it is known. */
  readonly title: string;
  /** Messages that no run has read yet, from here and those that were found on the server, in their order. */
  readonly waiting: readonly WaitingMessage[];
  /** The tokens of all requests so far. */
  readonly usage: Usage;
}

export type ConversationStatus = "loading" | "idle" | "running" | "waiting" | "parked";

/** What a person says to a conversation. */
export type Message =
  | { readonly kind: "prompt" | "steer"; readonly content: string; readonly attachments?: readonly Attachment[] }
  | { readonly kind: "approve"; readonly question: string; readonly reason?: string; readonly rule?: string }
  | { readonly kind: "deny"; readonly question: string; readonly reason?: string }
  | { readonly kind: "answer"; readonly question: string; readonly content: Json }
  | { readonly kind: "cancel"; readonly reason?: string };

export type WaitingMessage = Message & {
  readonly id: string;
  /**
   * - `sending`: the server may not have it yet
   * - `sent`: the server has it, and no run has read it
   * - `failed`: the server refuses it: `error` says why
   */
  readonly state: "sending" | "sent" | "failed";
  readonly error?: ClientError;
};

export interface MessageOptions {
  attachments?: readonly Attachment[] | undefined;
  /**
   * Names the message: 1 to 128 visible ASCII characters, unique in the conversation. A page that keeps it may post the same message
   * again after it was closed. Defaults to a random one.
   */
  id?: string | undefined;
}

export interface QuestionFacts {
  readonly facts: readonly { readonly name: string; readonly lines: readonly string[] }[];
  readonly rules: readonly { readonly text: string; readonly file: string }[];
}
