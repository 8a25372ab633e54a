/** A terminal, or two streams in its place. */
export interface Terminal {
  input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  output: NodeJS.WritableStream & { columns?: number; rows?: number };
}
