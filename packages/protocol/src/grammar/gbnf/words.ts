import { anyOf, choice, EMPTY, noneOf } from "./notation.ts";
import type { Rules } from "./rules.ts";

/** Words as a tree of their characters, so that a text can be kept from becoming one of them. */
export interface Words {
  readonly next: ReadonlyMap<string, Words>;
  /** Whether a word ends here. */
  readonly isWord: boolean;
}

/** @param words none of which is empty */
export function wordsOf(words: readonly string[], isWord = false): Words {
  const byFirst = new Map<string, string[]>();
  for (const [first = "", ...rest] of words.map((word) => Array.from(word))) {
    byFirst.set(first, [...(byFirst.get(first) ?? []), rest.join("")]);
  }
  const branches = [...byFirst].map(([first, rests]) => {
    return [
      first,
      wordsOf(
        rests.filter((rest) => rest !== ""),
        rests.includes(""),
      ),
    ] as const;
  });
  return { next: new Map(branches), isWord };
}

/** How the characters of words are spelled in a grammar. */
export interface Spelling {
  /** The spellings of a character, such as its two cases. */
  readonly of: (character: string) => string;
  /** Characters that the matched text never holds outside of a word. */
  readonly special: string;
}

/** Matches the beginning of a word, and then a character with which no word goes on. */
export function leaving(words: Words, spelling: Spelling, rules: Rules): string {
  const ways = going(words, spelling, (child) => rules.share("leaving", leaving(child, spelling, rules)));
  return choice([otherThan(words, spelling), ...ways]);
}

/** Matches the beginning of a word, which may be empty. A character with which no word goes on must follow. */
export function cutting(words: Words, spelling: Spelling, rules: Rules): string {
  const ways = going(words, spelling, (child) => rules.share("cutting", cutting(child, spelling, rules)));
  return ways.length === 0 ? EMPTY : `(${ways.join(" | ")})?`;
}

/** Matches any text but the words themselves. `rest` matches the characters of the text, as many as there are. */
export function except(words: Words, spelling: Spelling, rest: string): string {
  const ways = [...words.next].map(([character, child]) => {
    return `${anyOf(spelling.of(character))} ${except(child, spelling, rest)}`;
  });
  const end = words.isWord ? [] : [EMPTY];
  return choice([`${otherThan(words, spelling)} ${rest}`, ...ways, ...end]);
}

function going({ next }: Words, spelling: Spelling, goOn: (child: Words) => string): string[] {
  const open = [...next].filter(([, child]) => !child.isWord);
  return open.map(([character, child]) => `${anyOf(spelling.of(character))} ${goOn(child)}`);
}

function otherThan({ next }: Words, { of, special }: Spelling): string {
  return noneOf([...next.keys()].map(of).join("") + special);
}
