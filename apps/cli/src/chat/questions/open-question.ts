/** A question that stands at the foot of the chat. */
export interface OpenQuestion {
  /** What can be answered, in rows of so many columns. */
  rows(columns: number): string[];
  /** Whether the answer is text, which the editor takes: `submit` gets it. Else it is a key. */
  readonly takesText: boolean;
  /** Reads a key. Returns whether it means something here. */
  key(data: string): boolean;
  submit(text: string): void;
  /** Esc. */
  escape(): void;
}
