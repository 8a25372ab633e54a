/**
 * Another source of the texts of files, which a host lends: an editor whose buffers are not saved yet. It counts only if it can `read`.
 * It is asked for a path only after the tool has judged the real file as without it.
 */
export interface TextFiles {
  /**
   * The whole text of a file as the editor has it.
   *
   * @param path absolute, without links below the root; it begins as the host named the root
   * @throws Error if it has none: then the file on the disk counts
   */
  read?: ((path: string, signal?: AbortSignal) => Promise<string>) | undefined;
  /**
   * Replaces the text of a file, in the editor and on the disk; both hold it when this resolves. Makes the file if there is none; its
   * folder exists.
   *
   * @param path as of `read`
   * @throws Error if it is not written
   */
  write?: ((path: string, text: string, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds that an answer may take; defaults to 10,000. */
  readonly timeout?: number | undefined;
}

/** Of tools that read or change files. */
export interface TextFileOptions {
  /** An editor whose texts are read and written in place of those on the disk; see {@link TextFiles}. */
  files?: TextFiles | undefined;
}
