import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";

/** Asks in one project for a conversation of another one with the same store. */
type Recall = [name: string, where: (place: Place) => string, call: object];

export const readNotes = [{ name: "read", args: { file: "notes.txt" } }];

export const recalls: readonly Recall[] = [
  ["words, from a folder beside", ({ outer }) => join(outer, "other"), { query: "magpie" }],
  ["the conversation, from a folder beside", ({ outer }) => join(outer, "other"), { conversation: "first" }],
  ["words, from a folder inside", ({ root }) => join(root, "inner"), { query: "magpie" }],
  ["words, from a folder above", ({ outer }) => outer, { query: "magpie" }],
  ["words, from a folder whose name begins alike", ({ root }) => `${root}-two`, { query: "magpie" }],
  ["the conversation, page by page", ({ outer }) => join(outer, "other"), { conversation: "first", from: 2 }],
  ["what was read there", ({ outer }) => join(outer, "other"), { query: "otter" }],
];

export function recallAttack([name, where, args]: Recall): Attack {
  return {
    name: `recall: ${name}`,
    isDear: true,
    async run(place) {
      const { mkdirSync } = await import("node:fs");
      place.put("root/notes.txt", `otter ${place.canary}\n`);
      mkdirSync(where(place), { recursive: true });
      const first = await place.run([readNotes], [`magpie ${place.canary}`, "--conversation", "first"]);
      if (first.code !== 0) throw new Error(first.stderr);
      const calls = [{ name: "recall", args }];
      const { stdout } = await place.run([calls], ["go", "--json", "--yes"], { cwd: where(place) });
      return stdout.includes(place.canary) ? "another project's conversation was told" : undefined;
    },
  };
}
