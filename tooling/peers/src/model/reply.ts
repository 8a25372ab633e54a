/** A call of a tool, by the names that the asking program gives its tools. */
export interface ToolCall {
  readonly name: string;
  /** The arguments as an object, or the text that a tool without a schema takes. */
  readonly args: Record<string, unknown> | string;
}

/** What the model says next: a text, piece by piece at its own pace, or one call. */
export type Reply =
  | { readonly kind: "text"; readonly pieces: Iterable<string> | AsyncIterable<string> }
  | { readonly kind: "call"; readonly call: ToolCall };

export const said = (text: string): Reply => ({ kind: "text", pieces: [text] });
