import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";

/** What somebody who can write to the folder of the copies does there. `at`: the folder of the conversation. */
export type CopyChange = [name: string, change: (at: string, place: Place) => void];

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Rewrites the journal as a text. */
function rewrite(at: string, change: (text: string) => string): void {
  const path = join(at, "journal.jsonl");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

export const copies: readonly CopyChange[] = [
  ["a copy that holds something else", (at) => writeFileSync(join(at, hashOf("old")), "evil")],
  ["a copy that was cut off", (at) => writeFileSync(join(at, hashOf("old")), "o")],
  [
    "a copy that is a link to a secret",
    (at, place) => {
      const copy = join(at, hashOf("old"));
      rmSync(copy);
      symlinkSync(place.put("outside/secret.txt", place.canary), copy);
    },
  ],
  ["a copy that is gone", (at) => rmSync(join(at, hashOf("old")))],
  [
    "a journal that names a copy ../../other",
    (at) => rewrite(at, (text) => text.replaceAll(hashOf("old"), "../../other")),
  ],
  [
    "a journal that names a file ../outside/a.txt",
    (at) => rewrite(at, (text) => text.replaceAll("docs/a.txt", "../outside/a.txt")),
  ],
  [
    "a journal that names a file outside by its whole path",
    (at, { outer }) => rewrite(at, (text) => text.replaceAll("docs/a.txt", join(outer, "outside", "a.txt"))),
  ],
  [
    "a journal that names a hook of git",
    (at, place) => {
      place.put("root/.git/hooks/pre-commit", "new");
      rewrite(at, (text) => text.replaceAll("docs/a.txt", ".git/hooks/pre-commit"));
    },
  ],
  [
    "a journal that names a file of the copies",
    (at, { outer }) =>
      rewrite(at, (text) =>
        text.replaceAll('"file":"docs/a.txt"', `"file":${JSON.stringify(join(outer, "copies", "x"))}`),
      ),
  ],
  [
    "a line that somebody added, for another file",
    (at, place) => {
      place.put("outside/b.txt", "new");
      const path = join(at, "journal.jsonl");
      const [first = ""] = readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "");
      const added = first
        .replaceAll("docs/a.txt", join(place.outer, "outside", "b.txt"))
        .replaceAll('"project"', '"system"');
      appendFileSync(path, `\n${added}\n\n${JSON.stringify(JSON.parse(added).line)}\n`);
    },
  ],
  [
    "a journal with a wider access, for the root of the machine",
    (at) => rewrite(at, (text) => text.replaceAll('"project"', '"system"').replaceAll(/"root":"[^"]*"/g, '"root":"/"')),
  ],
  ["a journal without proofs", (at) => rewrite(at, (text) => text.replaceAll(/,"proof":\{[^}]*\}/g, ""))],
  ["a journal that is no JSON", (at) => rewrite(at, (text) => text.slice(0, -20))],
  ["a journal with a line of zeros", (at) => appendFileSync(join(at, "journal.jsonl"), `${"\0".repeat(4096)}\n`)],
];

/** The folder of the only conversation. */
export function onlyFolder(copies: string): string {
  const [name] = readdirSync(copies);
  if (name === undefined) throw new Error("There is no folder of copies.");
  return join(copies, name);
}
