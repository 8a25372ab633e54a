import type { Price, Provider } from "@cogency/provider";

export interface CompactionOptions {
  /**
   * Tokens that the model takes, those of its answer included: its context window. Defaults to what its provider says
   * (`capabilities.contextWindow`). Without either, nothing is summed up until the provider
   * refuses a request as too long. Then the limit that the refusal names is the window of the model for the rest of the conversation, or
   * nine tenths of what was refused.
   */
  window?: number | undefined;
  /** The share of the window from which on the earlier part of a conversation is replaced. Defaults to 0.8. */
  at?: number | undefined;
  /** Tokens at the end of the conversation that stay as they are. The last round does, if it fits. Defaults to a quarter of the window. */
  keep?: number | undefined;
  /**
   * Tokens that a summary should have at most: the model is told so, and of one that is twice as long the middle is left out. Defaults
   * to 2,000, or an eighth of a window below 16,000.
   */
  summaryTokens?: number | undefined;
  /** The model that writes summaries. Defaults to the model of the run. */
  provider?: Provider | undefined;
  /** The price of `provider`. Without it the cost of a run is unknown once `provider` was asked. */
  price?: Price | undefined;
  /** What a summary must not lose, such as "the numbers of all orders". Added to the instructions for the model that writes it. */
  instructions?: string | undefined;
}

/** The options for a window that is known. */
export interface CompactionSettings extends CompactionOptions {
  window: number;
  at: number;
  keep: number;
  summaryTokens: number;
}

/** Completes the options for a window, which may be smaller than theirs. */
export function settingsFor(options: CompactionOptions, window: number): CompactionSettings {
  const { at = 0.8, keep = window / 4, summaryTokens = 2000 } = options;
  return {
    ...options,
    window,
    at,
    keep: Math.floor(options.window === undefined ? keep : Math.min(keep, window)),
    summaryTokens: Math.floor(Math.min(summaryTokens, options.summaryTokens === undefined ? window / 8 : window / 4)),
  };
}
