import type { Grammar, Part } from "./read-gbnf.ts";

/** What must still be matched: a part, and after it what `rest` says. */
interface Stack {
  readonly part: Part;
  readonly rest: Stack | undefined;
  readonly id: number;
}

type Characters = Extract<Part, { type: "characters" }>;

/** Whether the characters hold this one. */
export function holds({ isNegated, ranges }: Characters, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to) !== isNegated;
}

/** Tells which texts are of the language of a grammar, by following all ways at once. */
export class Recognizer {
  readonly #grammar: Grammar;
  readonly #stacks = new Map<string, Stack>();
  readonly #partIds = new Map<Part, number>();
  /** What remains of a repetition after one more of its parts, by the repetition. */
  readonly #remaining = new Map<Part, Part>();

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  accepts(text: string): boolean {
    return this.#read(text)?.mayEnd ?? false;
  }

  /** Whether some text of the language begins with this one. */
  acceptsBeginning(text: string): boolean {
    return this.#read(text) !== undefined;
  }

  #read(text: string): { mayEnd: boolean } | undefined {
    const [root] = this.#grammar.values();
    let open = this.#expand([this.#push(root as Part, undefined)]);
    for (const character of text) {
      const code = character.codePointAt(0) as number;
      const next = open.waiting.filter(({ part }) => holds(part as Characters, code)).map(({ rest }) => rest);
      open = this.#expand(next);
      if (open.waiting.length === 0 && !open.mayEnd) return undefined;
    }
    return open;
  }

  /** The stacks that begin with characters, and whether the text may end. */
  #expand(stacks: readonly (Stack | undefined)[]): { waiting: Stack[]; mayEnd: boolean } {
    const seen = new Set<number>();
    const waiting: Stack[] = [];
    let mayEnd = false;
    const open = [...stacks];
    while (open.length > 0) {
      const stack = open.pop();
      if (stack === undefined) mayEnd = true;
      else if (!seen.has(stack.id)) {
        seen.add(stack.id);
        if (stack.part.type === "characters") waiting.push(stack);
        else open.push(...this.#ways(stack.part, stack.rest));
      }
    }
    return { waiting, mayEnd };
  }

  #ways(part: Exclude<Part, Characters>, rest: Stack | undefined): (Stack | undefined)[] {
    switch (part.type) {
      case "rule":
        return [this.#push(this.#grammar.get(part.name) as Part, rest)];
      case "choice":
        return part.ways.map((way) => this.#push(way, rest));
      case "sequence":
        return [part.parts.reduceRight<Stack | undefined>((after, inner) => this.#push(inner, after), rest)];
      case "repeat": {
        const more = part.max === 0 ? [] : [this.#push(part.part, this.#push(this.#less(part), rest))];
        return part.min === 0 ? [rest, ...more] : more;
      }
    }
  }

  #less(part: Extract<Part, { type: "repeat" }>): Part {
    if (part.min === 0 && part.max === Number.POSITIVE_INFINITY) return part;
    let less = this.#remaining.get(part);
    if (less === undefined) {
      less = { ...part, min: Math.max(0, part.min - 1), max: part.max - 1 };
      this.#remaining.set(part, less);
    }
    return less;
  }

  #push(part: Part, rest: Stack | undefined): Stack {
    const id = this.#partIds.get(part) ?? this.#partIds.size;
    this.#partIds.set(part, id);
    const key = `${id} ${rest?.id ?? ""}`;
    let stack = this.#stacks.get(key);
    if (stack === undefined) {
      stack = { part, rest, id: this.#stacks.size };
      this.#stacks.set(key, stack);
    }
    return stack;
  }
}
