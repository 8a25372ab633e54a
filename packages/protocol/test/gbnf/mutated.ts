import type { Random } from "../generate/random.ts";

const pieces = [
  "<",
  ">",
  '"',
  "\\",
  ",",
  "}",
  "]",
  "{",
  "[",
  ":",
  " ",
  "\n",
  "a",
  "0",
  "-",
  "e",
  "`",
  "</execute>",
  "null",
  "</",
];

/** The text with one character less, one piece more, or one in the place of another; half of the time near its end. */
export function mutated(text: string, random: Random): string {
  const characters = Array.from(text);
  const from = random.chance(0.5) ? Math.floor(characters.length / 2) : 0;
  const at = from + random.below(characters.length - from + 1);
  const [removed, added] = random.pick([
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const);
  characters.splice(at, removed, ...(added ? [random.pick(pieces)] : []));
  return characters.join("");
}
