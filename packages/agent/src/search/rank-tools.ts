import type { ToolSpec } from "@cogency/protocol";

/**
 * Makes the ranking of these tools for queries. It returns the names of the tools that have a word of the query in their name, their
 * description or the names of their arguments, the best first: a word counts the more, the fewer tools have it (BM25). A tool whose
 * whole name stands in the query comes before all others. Ties are in the order of the tools.
 */
export function rankTools(tools: readonly ToolSpec[]): (query: string) => string[] {
  const documents = tools.map(weightsOf);
  const lengths = documents.map((weights) => [...weights.values()].reduce((sum, weight) => sum + weight, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length);
  /** By word, the indexes of the tools that have it, with the weight that it has there. */
  const holders = new Map<string, [index: number, weight: number][]>();
  for (const [index, weights] of documents.entries()) {
    for (const [word, weight] of weights) {
      const known = holders.get(word);
      if (known) known.push([index, weight]);
      else holders.set(word, [[index, weight]]);
    }
  }
  return (query) => {
    const scores = new Map<number, number>();
    const add = (index: number, score: number) => scores.set(index, (scores.get(index) ?? 0) + score);
    for (const word of new Set(wordsOf(query))) {
      const having = holders.get(word) ?? [];
      const rarity = Math.log(1 + (tools.length - having.length + 0.5) / (having.length + 0.5));
      for (const [index, weight] of having) {
        const length = (lengths[index] as number) / meanLength;
        add(
          index,
          (rarity * weight * (saturation + 1)) / (weight + saturation * (1 - lengthPart + lengthPart * length)),
        );
      }
    }
    const named = new Set(query.split(/[^\w-]+/));
    const inAnyCase = new Set([...named].map((name) => name.toLowerCase()));
    for (const [index, { name }] of tools.entries()) {
      if (named.has(name)) add(index, exact);
      else if (inAnyCase.has(name.toLowerCase())) add(index, exact / 2);
    }
    return [...scores]
      .sort(([one, score], [other, otherScore]) => otherScore - score || one - other)
      .map(([index]) => (tools[index] as ToolSpec).name);
  };
}

/** The usual parameters of BM25: how soon a word that is repeated counts no more, and how much a long description costs. */
const saturation = 1.2;
const lengthPart = 0.4;

/** More than the words of any query give. */
const exact = 1e9;

/** The words of a tool. One in its name counts as three. */
function weightsOf({ name, description, parameters }: ToolSpec): Map<string, number> {
  const { properties } = parameters as { properties?: unknown };
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const weights = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(name, 3);
  add(description, 1);
  add(names.join(" "), 1);
  return weights;
}

/**
 * The words of a text in lower case, without the "s" of a plural. A word in camel case is there whole and in its parts. Of languages
 * that are written without spaces, each character is a word.
 *
 * @example wordsOf("GitHub_issues") // ["github", "git", "hub", "issue"]
 */
function wordsOf(text: string): string[] {
  return (text.normalize("NFKC").match(word) ?? []).flatMap((whole) => {
    const parts = whole.split(hump);
    return (parts.length > 1 ? [whole, ...parts] : parts).map(stem);
  });
}

const word = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}\p{N}])+/gu;

/** Matches where a part of a word in camel case begins: get|Issue, HTTP|Server. */
const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

function stem(word: string): string {
  return word
    .toLowerCase()
    .replace(/(?<=..)ies$/, "y")
    .replace(/(?<=..[^s])s$/, "");
}
