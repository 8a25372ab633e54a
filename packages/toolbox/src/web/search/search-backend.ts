/** A web search service. One small interface, so that any service can stand behind the `search` tool. */
export interface SearchBackend {
  /** Appears in errors. */
  readonly name: string;
  /**
   * The best results first, at most `limit`.
   *
   * @throws with a message for the model; on abort the signal's reason
   * INVARIANT: no key of the service appears in a result or an error.
   */
  search(query: string, options: WebSearchOptions): Promise<SearchResult[]>;
}

export interface WebSearchOptions {
  /** 1 to 20. */
  limit: number;
  signal: AbortSignal;
}

export interface SearchResult {
  title: string;
  url: string;
  /** A few sentences of the page. */
  snippet: string;
}
