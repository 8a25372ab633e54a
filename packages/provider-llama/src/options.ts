import { atLeast, callback, type OptionTable, oneOf, required, name as text, whole } from "@cogency/protocol/options";

export interface LlamaOptions extends Sampling {
  /** The path of a GGUF file, relative to the working folder. Of a model in several files, the first. */
  model: string;
  /**
   * Tokens that a request and its answer may have together. Defaults to what the file says that the model was trained for, or less where
   * the memory does not hold so many.
   */
  contextSize?: number | undefined;
  /**
   * Requests that are answered at the same time. Each has memory of its own for a whole context, in which it keeps what it has read, so
   * that the next request of the same conversation reads only what is new. Others wait their turn. Defaults to 1.
   */
  parallel?: number | undefined;
  /** `"auto"` uses the best processor that the installed library was built for, `false` the CPU. Defaults to `"auto"`. */
  gpu?: "auto" | false | undefined;
  /** Threads of the CPU. Defaults to the number of its cores. Fewer are faster where other programs use the cores. */
  threads?: number | undefined;
  /**
   * Returns the module `node-llama-cpp`. Defaults to `import("node-llama-cpp")`, which finds it where the dependencies of this package
   * are installed.
   */
  library?: (() => Promise<unknown>) | undefined;
}

/** How the next token is chosen. `options` of a request may hold the same fields, which then count for that request. */
export interface Sampling {
  /** From 0, which always takes the most likely token. `temperature` of a request comes before it. Defaults to 0.8. */
  temperature?: number | undefined;
  /** Only so many of the most likely tokens are considered. Defaults to 40. */
  topK?: number | undefined;
  /** Only the most likely tokens that together have this probability are considered. Defaults to 0.95. */
  topP?: number | undefined;
  /** Tokens are left out that are less likely than the most likely one times this. Defaults to 0.05. */
  minP?: number | undefined;
  /** From 0 to 4,294,967,295. The same seed gives the same answer to the same request. Defaults to another number each time. */
  seed?: number | undefined;
}

export const samplingKinds: OptionTable<Sampling> = {
  temperature: atLeast(0),
  topK: whole(1),
  topP: atLeast(0),
  minP: atLeast(0),
  seed: whole(0, 0xffff_ffff),
};

export const optionKinds: OptionTable<LlamaOptions> = {
  ...samplingKinds,
  model: required(text),
  contextSize: whole(1),
  parallel: whole(1, 64),
  gpu: oneOf("auto", false),
  threads: whole(1),
  library: callback,
};
