import type { Attack } from "../../harness/attack.ts";
import { longName, slowCalls } from "./slow.ts";

/** Lines of a .gitignore. */
type IgnoreFile = [name: string, text: string];

export const ignoreFiles: readonly IgnoreFile[] = [
  ["stars between letters", `${"*a".repeat(60)}b\n`],
  [
    "stars between letters, many lines",
    `${Array.from({ length: 2000 }, (_, index) => `${"*a".repeat(30)}${index}b`).join("\n")}\n`,
  ],
  ["question marks behind stars", `${"*?".repeat(80)}b\n`],
  ["classes behind stars", `${"*[a-z]".repeat(50)}0\n`],
  ["classes with all letters", `${`[${"a-z".repeat(100)}]*`.repeat(20)}0\n`],
  ["folders of any depth", `${"**/a".repeat(3)}/b\n`.repeat(1500)],
  ["many lines that take back", `${Array.from({ length: 1000 }, () => "*a*a*a*a*a*\n!*a*a*a*a*ab").join("\n")}\n`],
  ["a line of a million characters", `${"*a".repeat(500_000)}\n`],
  ["backslashes", `${"\\*a*".repeat(100)}b\n`],
  ["an open class", `${"[a*".repeat(100)}\n`],
  ["spaces behind", `a${" ".repeat(200_000)}b\n`],
  ["stars and slashes", `${"*/".repeat(100)}*a*a*a*a*b\n`],
];

export function ignoreFileAttack([name, text]: IgnoreFile): Attack {
  return {
    name: `.gitignore: ${name}`,
    async run(place) {
      place.put("root/.gitignore", text);
      for (let index = 0; index < 150; index++) place.put(`root/${longName.slice(3)}${index}`, "hello\n");
      for (let index = 0; index < 20; index++) place.put(`root/a/a/a/a/${longName.slice(3)}${index}`, "hello\n");
      return slowCalls(place, [
        { name: "find", args: { content: "hello" } },
        { name: "list", args: { path: ".", depth: 4 } },
      ]);
    },
  };
}
