import type { ClientError } from "./client-error.ts";
import type { ConnectionState } from "./stream/connection.ts";

/** The conversations of the user, as they change, those with the latest events first. */
export interface Conversations {
  /** What is known now. Another object after each change; entries that have not changed are the same. */
  readonly snapshot: ConversationsSnapshot;
  /** Calls `listener` after each change, until the function that it returns is called. The list is followed while somebody subscribes. */
  subscribe(listener: () => void): () => void;
  /**
   * Loads the next ones of the list, if there are any.
   *
   * @throws ClientError
   */
  more(): Promise<void>;
  /** Connects again now, such as after the user has signed in. */
  reconnect(): void;
}

export interface ConversationsSnapshot {
  readonly conversations: readonly ConversationEntry[];
  readonly status: "loading" | "ready";
  /** Whether `more` may find some. */
  readonly hasMore: boolean;
  readonly connection: ConnectionState;
  /** Why the connection failed the last time, while it is not `open`. */
  readonly error?: ClientError;
}

export interface ConversationEntry {
  readonly conversation: string;
  readonly title: string;
  /** The number of stored events. */
  readonly events: number;
  /** Unix time in seconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}
