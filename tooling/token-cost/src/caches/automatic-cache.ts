import { type Section, tokensOf } from "../servers/asked.ts";
import { charactersPerToken } from "../tokens.ts";
import type { Cache } from "./cache.ts";

const least = 1024;
const stride = 128;

/**
 * OpenAI's rule before GPT-5.6, by its guide: a prompt of 1,024 tokens or more is kept, without a fee, and a later one that begins
 * with the same tokens reads them from the cache, 1,024 at least and in steps of 128. What the model writes is kept only once a
 * request brings it. https://developers.openai.com/api/docs/guides/prompt-caching
 */
export function automaticCache(): Cache {
  const earlier: (readonly Section[])[] = [];
  return {
    read(sections) {
      const input = tokensOf(sections);
      const common = Math.max(0, ...earlier.map((other) => commonTokens(other, sections)));
      if (input >= least) earlier.push(sections);
      return { input, cached: common < least ? 0 : common - (common % stride), written: 0 };
    },
  };
}

/** The tokens with which both begin. */
function commonTokens(one: readonly Section[], other: readonly Section[]): number {
  let characters = 0;
  for (const [index, { kind, text }] of one.entries()) {
    const { kind: otherKind, text: otherText = "" } = other[index] ?? {};
    if (kind !== otherKind) break;
    if (text !== otherText) {
      characters += commonLength(text, otherText);
      break;
    }
    characters += text.length;
  }
  return Math.floor(characters / charactersPerToken);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
