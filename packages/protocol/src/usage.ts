/**
 * Tokens of one model request or of several. The fields are disjoint: `input` excludes what was read from or
 * written to a cache, `output` includes `reasoning`.
 */
export interface Usage {
  /** Prompt tokens that were neither read from nor written to a cache. */
  input: number;
  /** Generated tokens, reasoning included. */
  output: number;
  /** Prompt tokens served from the provider's cache. */
  cacheRead: number;
  /** Prompt tokens written to the provider's cache. */
  cacheWrite: number;
  /** The part of `output` that was reasoning. */
  reasoning: number;
  /**
   * Present where the provider did not report the usage, such as after an abort. The numbers are counted from
   * characters.
   */
  estimated?: true;
}

/** How a generation ended. Only `stop` is a normal end (protocol.md P14). */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "aborted" | "other";
