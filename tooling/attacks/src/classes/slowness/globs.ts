import type { Attack } from "../../harness/attack.ts";
import { longName, slowCalls } from "./slow.ts";

/** Patterns of find, at most 250 characters long. */
export const globs = [
  "*a".repeat(100).concat("b"),
  "*?".repeat(120),
  "*[a-z]".repeat(40).concat("0"),
  "**/".repeat(80).concat("b"),
  "**/*a".repeat(40).concat("b"),
  "{a,aa}".repeat(16).concat("b"),
  "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
  "{".repeat(120).concat("}".repeat(120)),
  "[!b]*".repeat(48).concat("b"),
  "?".repeat(250),
  `${"*".repeat(249)}b`,
  "{*a,*aa}*{*a,*aa}*{*a,*aa}b",
];

export function globAttack(pattern: string): Attack {
  return {
    name: `glob: ${pattern.slice(0, 30)}`,
    async run(place) {
      for (let index = 0; index < 200; index++) place.put(`root/a/a/a/${longName}${index}`, "hello\n");
      return slowCalls(place, [
        { name: "find", args: { pattern: pattern.slice(0, 250) } },
        { name: "list", args: { path: ".", depth: 5, pattern: pattern.slice(0, 250) } },
      ]);
    },
  };
}
