export interface TreeDiffOptions {
  signal?: AbortSignal | undefined;
  /** Bytes of the diff. Defaults to 4 MiB. */
  most?: number | undefined;
}
