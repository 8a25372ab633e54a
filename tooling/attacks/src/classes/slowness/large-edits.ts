import type { Attack } from "../../harness/attack.ts";
import type { FileCall } from "../../harness/file-calls.ts";
import { slowCalls } from "./slow.ts";

/** Edits and replacements of large files. */
type LargeEdit = [name: string, text: () => string, call: FileCall];

export const largeEdits: readonly LargeEdit[] = [
  ["a text that is almost there everywhere", () => "aaaaaaaaab".repeat(100_000), edit("aaaaaaaaac")],
  ["a long text that is almost there", () => `${"a".repeat(1000)}\n`.repeat(1000), edit(`${"a".repeat(60_000)}b`)],
  [
    "lines that are almost there",
    () => "let x = 1;\n".repeat(90_000),
    edit(`${"let x = 1;\n".repeat(5000)}let y = 1;`),
  ],
  ["white space only", () => " \t".repeat(500_000), edit(" \t\t ".repeat(10_000))],
  [
    "fifty that miss",
    () => "abcdefgh\n".repeat(100_000),
    {
      name: "edit",
      args: {
        file: "a.txt",
        edits: Array.from({ length: 50 }, (_, index) => ({ old: `abcdefg${index}\n`.repeat(50), new: "x" })),
      },
    },
  ],
  [
    "every line another",
    () => Array.from({ length: 60_000 }, (_, index) => `l${index % 7}`).join("\n"),
    { name: "replace", args: { find: "l3", with: "l4\nl3" } },
  ],
  [
    "every other line exchanged",
    () => Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 40_000}`).join("\n"),
    { name: "replace", args: { find: "1", with: "2\n" } },
  ],
  ["a million places", () => "a".repeat(1_000_000), { name: "replace", args: { find: "a", with: "bb" } }],
];

function edit(old: string): FileCall {
  return { name: "edit", args: { file: "a.txt", edits: [{ old, new: "x" }] } };
}

export function largeEditAttack([name, text, call]: LargeEdit): Attack {
  return {
    name: `edit: ${name}`,
    async run(place) {
      place.put("root/a.txt", text());
      return slowCalls(place, [call]);
    },
  };
}
