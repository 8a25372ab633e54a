import { fragment } from "./fragments.ts";
import type { Random } from "./random.ts";

const nasty = [
  '"',
  ",",
  "}",
  "]",
  "{",
  "[",
  ":",
  "\\",
  "1",
  "e",
  "<",
  ">",
  "`",
  "\n",
  " ",
  "|",
  "/",
  "\ud83d",
  "\u0000",
];

/** `text` with a few pieces dropped, doubled, swapped, cut off or inserted. Inserted pieces may come from `other`. */
export function mutate(random: Random, text: string, other: string): string {
  let mutated = text;
  for (let count = 1 + random.below(3); count > 0; count--) mutated = mutateOnce(random, mutated, other);
  return mutated;
}

function mutateOnce(random: Random, text: string, other: string): string {
  const at = random.below(text.length + 1);
  const end = random.chance(0.5) ? at + 1 + random.below(3) : at + random.below(text.length - at + 1);
  const before = text.slice(0, at);
  const piece = text.slice(at, end);
  const after = text.slice(end);
  switch (random.below(8)) {
    case 0:
      return before + after;
    case 1:
      return before + piece + piece + after;
    case 2: {
      const next = random.below(after.length + 1);
      return before + after.slice(0, next) + piece + after.slice(next);
    }
    case 3:
      return before;
    case 4: {
      const from = random.below(other.length + 1);
      return before + other.slice(from, from + random.below(40)) + after;
    }
    case 5:
      return before + fragment(random) + piece + after;
    case 6:
      return before + random.pick(nasty) + piece + after;
    default:
      return before + random.pick(nasty) + piece.slice(1) + after;
  }
}
