/** Names a part of a result, such as `stdout` of a command. */
export interface PartKey {
  readonly conversation: string;
  readonly user?: string | undefined;
  /** The id of the call. */
  readonly id: string;
  readonly part: string;
}

/**
 * Parts of results that are too long for the log, such as all that a command has printed. The log holds what the model saw of them.
 * A tool keeps them, and `readResultTool` reads them, also in a later process.
 */
export interface KeptParts {
  /** Keeps the text of a part. A call has each part once. */
  keep(key: PartKey, text: string): Promise<void>;
  /** Undefined if it was never kept, or is not kept any more. */
  read(key: PartKey): Promise<string | undefined>;
}
