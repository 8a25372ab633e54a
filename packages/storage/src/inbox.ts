import type { Attachment, Json, Proof, RecordContent, ToolSpec } from "@cogency/protocol";

/** The data of the record that an agent in the background has ended. */
type ChildNotice = Extract<RecordContent, { kind: "child" }>["data"];

/**
 * Words to the model that are not the person's: of the program, such as that an agent in the background is done, or with a `source` of
 * something outside, such as a finished job, a changed file or a webhook. In the middle of a run the model reads them before its next
 * request; else they begin a turn. They count only with a proof. Those that are read at one moment become one event.
 */
export interface NoticeContent {
  kind: "notice";
  content: string;
  /**
   * Who says it, in one line of 1 to 100 characters without control characters: `ci`, `job_3`, `src/a.ts`. What comes with a source is
   * bounded where it is read: a source that says much does not push out others.
   */
  source?: string | undefined;
  /** What the text is. A `content` record stands beside it, which approval rules heed. Needs a `source`. */
  holds?: "untrusted" | "private" | undefined;
  /** Of the notices of one source and one topic that wait, the model reads only the last one, and how many it stands for. */
  topic?: string | undefined;
  /** `false`: begins no turn, and is read with the next one, or before the next request of a run. Defaults to `true`. */
  wakes?: boolean | undefined;
  /** Stored with the words. */
  child?: ChildNotice | undefined;
}

/** What a message says to a conversation. */
export type MessageContent =
  /**
   * The next turn of the person. It waits until the run has answered. `tools` are those that the client brings for it, and runs itself: a
   * call of one is a question, which a message `answer` settles with `{ "output": … }` or `{ "error": "…" }`.
   */
  | {
      kind: "prompt";
      content: string;
      attachments?: readonly Attachment[] | undefined;
      tools?: readonly ToolSpec[] | undefined;
    }
  /**
   * Words of the person that the model reads before its next request, in the middle of a run. `tools` take the place of those that the
   * client has brought for the turn; without the field, they stay.
   */
  | {
      kind: "steer";
      content: string;
      attachments?: readonly Attachment[] | undefined;
      tools?: readonly ToolSpec[] | undefined;
    }
  | NoticeContent
  /** Settles a question for approval. `question` is its id; the model reads the `reason`. */
  | { kind: "approve" | "deny"; question: string; reason?: string | undefined }
  /** Answers a question of a tool. */
  | { kind: "answer"; question: string; content: Json }
  /** Ends the run. */
  | { kind: "cancel"; reason?: string | undefined }
  /**
   * Names the conversation, where a run holds its log: the run stores a record `title` before its next request, or at its end. The
   * model does not read it. It counts only with a proof.
   */
  | { kind: "title"; content: string }
  /**
   * Names the point after the first `at` events, and with `at` 0 takes the name `content` back, where a run holds the log: as a `title`
   * a record `point`. It counts only with a proof.
   */
  | { kind: "point"; content: string; at: number };

/**
 * A message to a conversation. A store keeps it as it is given and interprets nothing of it.
 *
 * `from` is what the sender claims to be. `proof` is made over the whole message with a key outside of the store; whoever
 * takes the message verifies it.
 */
export type InboxMessage = MessageContent & { from?: string; proof?: Proof };

/** A message that waits in the inbox of a conversation. */
export interface StoredMessage {
  /** As the sender chose it. */
  readonly id: string;
  readonly message: InboxMessage;
  /** Unix time in milliseconds by the clock of the store. */
  readonly postedAt: number;
  /** Unix time in milliseconds: when it became due. Equal to `postedAt` unless the sender chose a later time. */
  readonly at: number;
}

export interface PostOptions {
  /** An id that the sender chooses, unique per conversation. It makes a retry safe. */
  id: string;
  /** Unix time in milliseconds by the clock of the store: the message is not in the inbox before. Defaults to now. */
  at?: number | undefined;
  /** As {@link WakeScope}. */
  scope?: string | undefined;
}

export interface WatchOptions {
  /**
   * - `"all"`, the default: each `append`, `post` and `delete` yields
   * - `"posts"`: each `post` and `delete` yields, and an `append` at most. For a writer that waits for messages, and knows its
   *   own appends.
   */
  of?: "all" | "posts" | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/**
 * What a conversation belongs to, such as the name of an agent or a folder: a worker claims only conversations of its scope.
 * The first write of a key (`append`, `post` or `wake`) fixes it; a later one changes nothing. `undefined` is a scope, too.
 */
export type WakeScope = string | undefined;
