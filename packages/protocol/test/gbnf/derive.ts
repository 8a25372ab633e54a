import type { Random } from "../generate/random.ts";
import type { Grammar, Part } from "./read-gbnf.ts";
import { holds } from "./recognize.ts";

/** Characters at which a parser can go wrong. */
const tricky = [...'<>/`\n\r\t "\\{}[]:,thinkexecuteresultsendTHE_0-é漢', "🚀", "\u007f", "\u2028"];

/** The choices of a deriver that has written more than this lead to the end. */
const longest = 400;

/** Makes texts of the language of a grammar: at each choice it takes a way at random. */
export class Deriver {
  readonly #grammar: Grammar;
  /** The length of the shortest text of each part. */
  readonly #shortest = new Map<Part, number>();

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    const rules = new Map<string, number>();
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const [name, part] of grammar) {
        const length = shortestOf(part, rules, this.#shortest);
        if (length === (rules.get(name) ?? Number.POSITIVE_INFINITY)) continue;
        rules.set(name, length);
        isChanged = true;
      }
    }
  }

  derive(random: Random): string {
    const [root] = this.#grammar.values();
    let text = "";
    const open: Part[] = [root as Part];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const isLong = text.length > longest;
      switch (part.type) {
        case "characters":
          text += this.#character(part, random);
          break;
        case "rule":
          open.push(this.#grammar.get(part.name) as Part);
          break;
        case "choice":
          open.push(isLong ? this.#shortestOf(part.ways) : random.pick(part.ways));
          break;
        case "sequence":
          open.push(...part.parts.toReversed());
          break;
        case "repeat": {
          const spread = Math.min(part.max - part.min, isLong ? 0 : 1 + random.below(random.chance(0.05) ? 300 : 6));
          const count = part.min + random.below(spread + 1);
          for (let i = 0; i < count; i++) open.push(part.part);
        }
      }
    }
    return text;
  }

  #shortestOf(ways: readonly Part[]): Part {
    const lengths = ways.map((way) => this.#shortest.get(way) as number);
    return ways[lengths.indexOf(Math.min(...lengths))] as Part;
  }

  #character(part: Extract<Part, { type: "characters" }>, random: Random): string {
    const found = tricky.filter((character) => holds(part, character.codePointAt(0) as number));
    if (!part.isNegated || (found.length === 0 && part.ranges.length > 0)) {
      const [from, to] = random.pick(part.ranges);
      return String.fromCodePoint(from + random.below(to - from + 1));
    }
    return random.pick(found);
  }
}

function shortestOf(part: Part, rules: ReadonlyMap<string, number>, known: Map<Part, number>): number {
  const inner = (one: Part) => shortestOf(one, rules, known);
  const length = (): number => {
    switch (part.type) {
      case "characters":
        return 1;
      case "rule":
        return rules.get(part.name) ?? Number.POSITIVE_INFINITY;
      case "sequence":
        return part.parts.map(inner).reduce((sum, one) => sum + one, 0);
      case "choice":
        return Math.min(...part.ways.map(inner));
      case "repeat": {
        const one = inner(part.part);
        return part.min === 0 ? 0 : part.min * one;
      }
    }
  };
  const shortest = length();
  known.set(part, shortest);
  return shortest;
}
