/** A question that stands at the foot of the chat. */
export interface OpenQuestion {
  /** What can be answered, in rows of so many columns. */
  rows(columns: number): string[];
  /** Whether the answer is text, which the editor takes: `submit` gets it. Else it is a key. */
  readonly takesText: boolean;
  key(data: string): void;
  submit(text: string): void;
  /** Esc. */
  escape(): void;
}
