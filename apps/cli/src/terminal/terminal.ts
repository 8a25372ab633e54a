/** A terminal, or what stands in for one. */
export interface Terminal {
  input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  output: NodeJS.WritableStream & { columns?: number; rows?: number };
}
