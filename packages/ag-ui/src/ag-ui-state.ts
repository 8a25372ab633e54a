/**
 * The state that a client has of a conversation: what `STATE_SNAPSHOT` holds, and `STATE_DELTA` changes. It is the server's alone: what a
 * client sends as `state` changes nothing.
 */
export interface AgUiState {
  /** What a person named the conversation; null before. */
  title: string | null;
  /**
   * - `running`: the run goes on
   * - `waiting`: a question is open
   * - `idle`: the turn has ended
   * - `failed`: the turn failed, and the next message tries again
   * - `parked`: nothing goes on until somebody who runs the service releases the conversation
   */
  status: "running" | "waiting" | "idle" | "failed" | "parked";
  /** The questions that are open, in order. */
  questions: AgUiQuestion[];
  /** The tokens of the whole conversation, counted as `TokenUsage` of AG-UI counts. */
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
  /** What keeps the conversation from going on; null if nothing does. */
  notice: AgUiNotice | null;
}

export interface AgUiQuestion {
  /** The id of its interrupt. */
  id: string;
  toolCallId: string;
  toolName: string;
  /** `approval`: whether the call may run. `answer`: the call asks. `client`: the client runs the call. */
  asks: "approval" | "answer" | "client";
}

export interface AgUiNotice {
  code: string;
  /** For the person who waits. */
  message: string;
  /** Unix time in seconds of the next try; null if none comes by itself. */
  retryAt: number | null;
}
