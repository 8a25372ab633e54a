/** What a step writes, as far as it is not settled: the store has none of it. */
export interface Writing {
  /** The unit that is open: one object for as long as it is. */
  readonly openText: OpenText | undefined;
  /** The calls of the block that is not closed, in their order: one object for each. */
  readonly openArgs: readonly OpenArgs[];
  /** Whether the block is closed, so that its calls are stored or on their way to the store. */
  readonly hasExecuted: boolean;
}

export interface OpenText {
  readonly type: "think" | "respond";
  /** It only grows. */
  readonly content: string;
}

/** The arguments of one call, as the model writes them. */
export interface OpenArgs {
  /** The id that the call will have. */
  readonly id: string;
  /** Undefined until it is known. */
  name: string | undefined;
  /** It only grows. */
  content: string;
}
