export interface OfflineOptions {
  /** Milliseconds before each token. Defaults to 0. */
  delay?: number | undefined;
  /** The name of the model. Defaults to `offline-1`. */
  model?: string | undefined;
}
