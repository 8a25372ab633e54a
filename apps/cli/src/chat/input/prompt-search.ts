/** The search in earlier prompts: each key makes another one. */
export interface PromptSearch {
  readonly words: string;
  /** How many of the found ones, the latest first, are passed over. */
  readonly skip: number;
}

/** The latest earlier prompt that holds the words in any letter case. `prompts` begins with the oldest. */
export function foundPrompt({ words, skip }: PromptSearch, prompts: readonly string[]): string | undefined {
  const wanted = words.toLowerCase();
  const found = [...new Set(prompts.toReversed())].filter((prompt) => prompt.toLowerCase().includes(wanted));
  return found[Math.min(skip, found.length - 1)];
}
