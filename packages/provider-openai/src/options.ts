export interface OpenAIOptions {
  /** The environment variable `OPENAI_API_KEY` when absent. Another server than OpenAI's may need none. */
  apiKey?: string | undefined;
  /** `gpt-5.5` by default. */
  model?: string | undefined;
  /**
   * Where the server's paths begin, usually up to `/v1`; without user name and password. `OPENAI_BASE_URL`, else OpenAI's
   * own, when absent.
   */
  baseURL?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  organization?: string | undefined;
  /** Takes the place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Milliseconds until the answer must have begun. 300,000 by default, and in Node at most, because its `fetch` gives up
   * then; to wait longer pass a `fetch` that does.
   */
  timeout?: number | undefined;
}
