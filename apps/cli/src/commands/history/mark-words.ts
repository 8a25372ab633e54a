import { type SearchWord, searchTokens } from "@cogency/storage";

/** The line with `mark` around the words that were searched for, as the search finds them: by how a word begins. */
export function markWords(line: string, words: readonly SearchWord[], mark: (word: string) => string): string {
  return line.replace(/[\p{L}\p{N}\p{M}]+/gu, (run) => {
    if (words.some((word) => isFound(word, run))) return mark(run);
    // Scripts that are written without spaces: the word stands anywhere.
    const word = words.find(({ text, isPrefix }) => !isPrefix && text.length > 0 && run.includes(text));
    return word && word.tokens.length > 1 ? run.replaceAll(word.text, mark) : run;
  });
}

function isFound({ text, isPrefix }: SearchWord, run: string): boolean {
  const [token, ...more] = searchTokens({ type: "user", timestamp: 0, content: run });
  if (token === undefined || more.length > 0) return false;
  return isPrefix ? token.startsWith(text) : token === text;
}
