import type { Attack } from "../../harness/attack.ts";
import { slowCalls } from "./slow.ts";

/** Regular expressions over a file of a megabyte. */
type Expression = [expression: string, text: string];

export const expressions: readonly Expression[] = [
  ["(a+)+$", "a"],
  ["(a|aa)+b", "a"],
  ["(a*)*b", "a"],
  ["(.*a){20}", "a"],
  ["a{1,100}b", "a"],
  ["(?:a?){90}a{90}", "a"],
  ["(x+x+)+y", "x"],
  ["\\pL{80}b", "a"],
  ["(?i)(k|\u212a)+z", "k"],
  ["(\\s*\\w+\\s*)+!", "word "],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["(a(b(c(d(e)*)*)*)*)*f", "abcde"],
  ["[^b]*[^b]*[^b]*b", "a"],
  ["", "a"],
  ["|".repeat(400), "a"],
  ["(".repeat(200).concat(")".repeat(200)), "a"],
  ["\\C*\\C*b", "\u00e9"],
];

export function expressionAttack([expression, text]: Expression): Attack {
  return {
    name: `expression: ${expression.slice(0, 30)}`,
    async run(place) {
      place.put("root/a.txt", text.repeat(Math.floor(1_000_000 / text.length)));
      return slowCalls(place, [
        { name: "find", args: { content: expression || "a", regex: true } },
        { name: "replace", args: { find: expression || "a", with: "$&$&", regex: true, dryRun: true } },
      ]);
    },
  };
}
