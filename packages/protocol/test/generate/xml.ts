import { gap } from "./fragments.ts";
import type { Random } from "./random.ts";

/** Few names, so that tools and arguments often share one. */
const names = [
  "t",
  "a",
  "b",
  "t",
  "a",
  "execute",
  "think",
  "write",
  "1",
  "10",
  "2",
  "x.y",
  "-",
  "_",
  "constructor",
  "end",
];
const badNames = ["__proto__", "", "a b", "é", "a/", "<", "\ud83d"];

const pieces = [
  "value",
  "x",
  " ",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "é漢🚀",
  "\ud83d",
  "\ude00",
  "&amp;",
  "<b>",
  "</b>",
  "<br/>",
  "<",
  "</",
  ">",
  "<t",
  "</execute",
  "</execute>",
  "<execute>",
  "<think>",
  "<results>[",
  "[1,2]",
  "`",
  "```\n",
  "\u00a0",
  "</t >",
];

/** Writes the XML dialect as a model may. `slip` is the probability of a fault at each place. */
export class XmlWriter {
  readonly #random: Random;
  readonly #slip: number;

  constructor(random: Random, slip: number) {
    this.#random = random;
    this.#slip = slip;
  }

  /** The text between `<execute>` and `</execute>`, white space included. */
  block(): string {
    const { length } = Array.from({ length: this.#random.below(4) });
    return gap(this.#random) + Array.from({ length }, () => this.#tool() + this.#layout()).join("");
  }

  #tool(): string {
    const random = this.#random;
    const tool = this.#name();
    const given = new Set<string>();
    let text = `<${tool}>${this.#layout()}`;
    for (let count = random.below(4); count > 0; count--) {
      const name = random.chance(0.1) ? tool : this.#name();
      if (given.has(name) && !random.chance(0.2)) continue;
      given.add(name);
      text += this.#argument(tool, name, [...given]) + this.#layout();
    }
    return `${text}${this.#closer(tool)}`;
  }

  #argument(tool: string, name: string, given: readonly string[]): string {
    const random = this.#random;
    const edge = () => random.pick(["", "", "", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\n\r", " ", "\r\r\n"]);
    const value = random.some(4, () =>
      random.chance(0.35) ? this.#confusing(tool, name, given) : random.pick(pieces),
    );
    return `<${name}>${edge()}${value}${edge()}${this.#closer(name)}`;
  }

  /** Text that looks, at least nearly, like the end of the value. */
  #confusing(tool: string, name: string, given: readonly string[]): string {
    const random = this.#random;
    switch (random.below(9)) {
      case 0:
        return `</${name}>`;
      case 1:
        return `</${name}>${gap(random)}</${this.#name()}>`;
      case 2:
        return `</${name}>${gap(random)}<${random.pick(given)}>`;
      case 3:
        return `</${tool}>`;
      case 4:
        return this.#slips() ? `</${tool}>${gap(random)}</execute>` : `</${tool}>${gap(random)}</execute`;
      case 5:
        return `<${name}>x</${name}>`;
      case 6:
        return `</${name}>${gap(random)}x</${tool}>`;
      case 7:
        return this.#slips() ? `</${name}>${gap(random)}<${this.#name()}>` : `</${name}`;
      default:
        return `</${name}>${gap(random)}</${tool}`;
    }
  }

  #closer(name: string): string {
    const random = this.#random;
    if (!this.#slips()) return `</${name}>`;
    return random.pick([
      "",
      `</${this.#name()}>`,
      `</ ${name}>`,
      `</${name} >`,
      `<${name}/>`,
      `</${name}`,
      `</${name}>`.repeat(2),
    ]);
  }

  #name(): string {
    return this.#random.pick(this.#slips() ? badNames : names);
  }

  #layout(): string {
    const random = this.#random;
    return gap(random) + (this.#slips() ? random.pick(["x", ",", "&", "\u00a0", "<!-- -->", "<>", "</>", "\v"]) : "");
  }

  #slips(): boolean {
    return this.#random.chance(this.#slip);
  }
}
