/** The client of a chat. */
interface Following {
  send(words: string): Promise<void>;
  stop(): void;
}

/**
 * @param id of the conversation
 * @param onText hears the text of the model so far after each change, and whether nothing is being written
 */
export type Follow = (
  url: string,
  id: string,
  fetch: typeof globalThis.fetch,
  onText: (text: string, isIdle: boolean) => void,
) => Promise<Following>;
