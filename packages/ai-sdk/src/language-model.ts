/**
 * A language model of the AI SDK, of specification v4, v3 or v2: what `anthropic("…")` and every other package of a provider make,
 * and what `wrapLanguageModel` returns. Only these members are used. The models of `@ai-sdk/provider` are assignable to it, so that no
 * version of that package has to be installed.
 */
export interface LanguageModel {
  readonly specificationVersion: "v4" | "v3" | "v2";
  /** Such as `anthropic.messages`. */
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: SupportedUrls | PromiseLike<SupportedUrls>;
  doStream(options: object): PromiseLike<ModelStream>;
}

/** The addresses that the model's server fetches itself, as patterns by media type such as `image/*`. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

/** What `doStream` of a model gives. */
export interface ModelStream {
  /** Stream parts of the model's specification. */
  stream: ReadableStream<unknown>;
  response?: { headers?: Readonly<Record<string, string>> };
}
