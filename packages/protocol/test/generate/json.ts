import { gap } from "./fragments.ts";
import {
  badEscapes,
  badKeys,
  badLiterals,
  badNumbers,
  controls,
  escapes,
  keys,
  markup,
  names,
  numbers,
  oddKeys,
  oddNumbers,
  pieces,
  surrogates,
} from "./json-pieces.ts";
import type { Random } from "./random.ts";

/** The mistakes in the JSON that is written. */
export interface Habits {
  /** The probability of a fault at each place. */
  slip: number;
  /** The probability of a fault that can be repaired, at each place. */
  repairable: number;
}

export class JsonWriter {
  readonly #random: Random;
  readonly #habits: Habits;

  constructor(random: Random, habits: Habits) {
    this.#random = random;
    this.#habits = habits;
  }

  /** The text between `<execute>` and `</execute>`, white space included. */
  block(): string {
    const random = this.#random;
    const single = this.#repairs();
    const calls = single ? this.call() : this.#array(Array.from({ length: random.below(4) }, () => this.call()));
    const tail = () => gap(random) + (this.#repairs() ? random.some(3, () => this.#token() + gap(random)) : "");
    if (!this.#repairs()) return gap(random) + calls + tail();
    const fence = "`".repeat(random.pick([3, 3, 3, 4, 5, this.#slips() ? random.pick([2, 100]) : 99]));
    const slip = this.#slips() ? random.pick(["`", "i".repeat(100)]) : "i".repeat(99);
    const info = random.pick(["", "json", "json", " js on", "{[", "\ud83d", slip]);
    const lineEnd = this.#slips() ? "" : random.pick(["\n", "\n", "\r\n", "\r"]);
    const closing = this.#slips() ? random.pick(["", "``", fence + fence, `${fence} ${fence}`]) : fence;
    const before = this.#slips() ? tail() : gap(random);
    return `${gap(random)}${fence}${info}${lineEnd}${gap(random)}${calls}${before}${closing}${tail()}`;
  }

  call(): string {
    const random = this.#random;
    const name = this.#slips() ? random.pick(["7", "null", "[]", "{}"]) : `"${this.#string(names)}"`;
    const members = [this.#member('"name"', name), this.#member('"args"', this.#args())];
    if (random.chance(0.1)) members[0] = this.#member('"n\\u0061me"', name);
    if (random.chance(0.15)) members.reverse();
    if (random.chance(0.15)) members.splice(random.below(3), 0, this.#member(this.#key(), this.value(2)));
    if (this.#slips()) members.splice(random.below(members.length), 1);
    return this.#object(members);
  }

  /** A value. `depth` is the depth of its container. */
  value(depth: number): string {
    const random = this.#random;
    if (this.#slips()) return random.pick(random.chance(0.5) ? badNumbers : badLiterals);
    const kind = random.below(depth > 5 ? 6 : 9);
    if (kind < 2) return `"${this.#string(pieces)}"`;
    if (kind < 4) return random.pick(random.chance(0.1 + this.#habits.slip) ? oddNumbers : numbers);
    if (kind < 6) return random.pick(["true", "false", "null"]);
    if (random.chance(0.02)) return this.#deep(depth);
    if (kind === 6) return this.#array(Array.from({ length: random.below(3) }, () => this.value(depth + 1)));
    return this.object(depth + 1);
  }

  object(depth: number): string {
    const random = this.#random;
    const count = random.chance(0.02) ? 15 : random.below(4);
    const used = new Set<string>();
    const members: string[] = [];
    for (let i = 0; i < count; i++) {
      const key = this.#key();
      if (used.has(key) && !this.#slips()) continue;
      used.add(key);
      members.push(this.#member(key, this.value(depth)));
    }
    return this.#object(members);
  }

  #args(): string {
    const random = this.#random;
    if (this.#slips()) return random.pick(["[]", "null", "7", '""', '"[]"', '"{} x"', '"{}{}"', '"{', '"{\\"a\\":"']);
    const object = this.object(3);
    if (!this.#repairs()) return object;
    // Encoded once more; sometimes with raw line breaks, or with escapes that are not needed.
    let encoded = JSON.stringify(gap(random) + object + gap(random));
    if (random.chance(0.3)) encoded = encoded.replaceAll("\\n", "\n");
    if (random.chance(0.2)) encoded = encoded.replace("a", "\\u0061").replace("{", "\\u007b");
    if (random.chance(0.1)) encoded = encoded.replace(/\\ud[89a-f]../gi, (half) => JSON.parse(`"${half}"`));
    return encoded;
  }

  /** As deep as P15 allows, or one deeper. */
  #deep(depth: number): string {
    const more = 256 - depth + this.#random.pick([-1, 0, 0, 1, 1]);
    if (this.#random.chance(0.5)) return "[".repeat(more) + "]".repeat(more);
    return `${'{"a":'.repeat(more - 1)}{}${"}".repeat(more - 1)}`;
  }

  #key(): string {
    const random = this.#random;
    if (this.#slips()) return random.pick([...badKeys.map((key) => `"${key}"`), "a", "7", "'a'", '"a']);
    return `"${random.chance(0.15) ? random.pick(oddKeys) : random.pick(keys)}"`;
  }

  #string(usual: readonly string[]): string {
    const random = this.#random;
    return random.some(4, () => {
      if (this.#slips()) return random.pick(badEscapes);
      if (this.#repairs()) return random.pick(controls);
      const kind = random.below(10);
      return random.pick(kind < 6 ? usual : kind < 8 ? escapes : kind < 9 ? markup : surrogates);
    });
  }

  #token(): string {
    const tooLong = `<|${"x".repeat(100)}|>`;
    if (this.#slips())
      return this.#random.pick(["<||>", "<|x>", "<|a b|>", "<|x||>", "<|", "<|x", "<|x|", "|>", tooLong]);
    const longest = `<|${"x".repeat(99)}|>`;
    return this.#random.pick([
      "<|im_end|>",
      "<|x|>",
      "<|`|>",
      "<|[|>",
      "<|\ud83d|>",
      "<|\u00a0|>",
      "<|/execute|>",
      longest,
    ]);
  }

  #member(key: string, value: string): string {
    const random = this.#random;
    return `${key}${gap(random)}${this.#slips() ? random.pick(["", "=", "::"]) : ":"}${gap(random)}${value}`;
  }

  #object(members: readonly string[]): string {
    return `{${this.#list(members)}${this.#slips() ? this.#random.pick(["", "]", ",,}", "}}"]) : "}"}`;
  }

  #array(items: readonly string[]): string {
    return `[${this.#list(items)}${this.#slips() ? this.#random.pick(["", "}", ",,]", ",]", "]]"]) : "]"}`;
  }

  #list(items: readonly string[]): string {
    const random = this.#random;
    const comma = () => gap(random) + (this.#slips() ? random.pick(["", ";", ",,"]) : ",") + gap(random);
    const text = items.reduce((list, item) => list + (list === "" ? "" : comma()) + item, "");
    const trailing = text !== "" && this.#repairs() ? `${gap(random)},` : "";
    return gap(random) + text + trailing + gap(random);
  }

  #slips(): boolean {
    return this.#random.chance(this.#habits.slip);
  }

  #repairs(): boolean {
    return this.#random.chance(this.#habits.repairable);
  }
}
