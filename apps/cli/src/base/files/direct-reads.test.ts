import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../..");

/** The sources that read or import files on their own, and why `readRegularFile` is not for them. */
const allowed: Readonly<Record<string, string>> = {
  "base/compiled/keep-compiled.ts": "the modules of the app",
  "base/compiled/kept-code.ts": "the start of the app, which loads nothing else; with the same checks",
  "base/edit-elsewhere.ts": "a file that it made itself, in a folder of its own",
  "base/files/private-file.ts": "secrets: it also checks whose the file is",
  "base/files/read-regular-file.ts": "this is the reader",
  "base/files/save-file.ts": "makes files",
  "base/files/with-lock.ts": "makes files",
  "base/terminal/in-foreground.ts": "what the kernel says of this process",
  "chat/conversation/own-command.ts": "what the kernel says of processes",
  "chat/input/prompt-history.ts": "appends only",
  "commands/history/read-lines.ts": "of any length, of an export that was typed; line by line",
  "commands/init.ts": "templates of this package",
  "place/modules/llama-library.ts": "the library that this person has installed: it checks whose the file is",
  "work/modules/import-module.ts": "imports a module as it was read",
};

const readers = /\b(readFile|readFileSync|createReadStream|openSync|openAsBlob|opendir|open|readSync|readv|glob)\b/;

function readsOnItsOwn(text: string): boolean {
  const imports = text.matchAll(/import (?!type )([^;]*?) from "(?:node:)?fs(?:\/promises)?"/g);
  const isReading = Array.from(imports).some(([, names = ""]) => readers.test(names) || names.includes("*"));
  // Modules of the app are imported by their names.
  return isReading || /\bimport\(\s*[^"\s)]|\brequire\(\s*[^"\s)]|\bprocess\.binding|createRequire/.test(text);
}

it("no other source of the app reads a file or imports a module by a name that is not written there", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/\.test\.ts$|^page\/browser\//.test(path),
  );
  const found = files.filter((path) => readsOnItsOwn(readFileSync(join(source, path), "utf8")));
  expect(found.toSorted()).toEqual(Object.keys(allowed));
});

it.each([
  ['import { readFileSync } from "node:fs";', true],
  ['import { readFile, stat } from "node:fs/promises";', true],
  ['import * as fs from "fs";', true],
  ["await import(url)", true],
  ["import(\n  path,\n)", true],
  ['import { statSync } from "node:fs";', false],
  ['await import("./a.ts")', false],
  ['import { readFile } from "./other.ts";', false],
])("sees %j: %s", (text, expected) => {
  expect(readsOnItsOwn(text)).toBe(expected);
});
