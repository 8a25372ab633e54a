export interface OfflineOptions {
  /** Milliseconds before each token. 0 by default. */
  delay?: number | undefined;
  /** The name the model goes by. `offline-1` by default. */
  model?: string | undefined;
}
