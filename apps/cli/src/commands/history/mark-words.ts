import { type SearchWord, searchTokens } from "@cogency/storage/adapter";

/** Puts `mark` around the words that were searched for. Like the search, it matches the beginning of a word. */
export function markWords(line: string, words: readonly SearchWord[], mark: (word: string) => string): string {
  return line.replace(/[\p{L}\p{N}\p{M}]+/gu, (run) => {
    if (words.some((word) => isFound(word, run))) return mark(run);
    // In scripts without spaces the word may stand anywhere.
    const word = words.find(({ text, isPrefix }) => !isPrefix && text.length > 0 && run.includes(text));
    return word && word.tokens.length > 1 ? run.replaceAll(word.text, mark) : run;
  });
}

function isFound({ text, isPrefix }: SearchWord, run: string): boolean {
  const [token, ...more] = searchTokens({ type: "user", timestamp: 0, content: run });
  if (token === undefined || more.length > 0) return false;
  return isPrefix ? token.startsWith(text) : token === text;
}
