import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configurationFolder } from "../base/configuration-folder.ts";
import { readRegularText } from "../base/files/read-regular-file.ts";
import { note } from "../base/terminal/note.ts";

/**
 * Writes a remark about this machine to stderr, once per installation: a person who has read it need not read it in each run. Where
 * that cannot be kept, it is said each time.
 */
export function tellOnce(text: string): void {
  const file = join(configurationFolder(), "told.json");
  const mark = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const told = marksIn(file);
  if (told.includes(mark)) return;
  note(`${text} This is said once; cogency doctor says it again.`);
  keep(file, [...told, mark].slice(-mostMarks));
}

function marksIn(file: string): string[] {
  try {
    const marks: unknown = JSON.parse(readRegularText(file) ?? "[]");
    return Array.isArray(marks) ? marks.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}

function keep(file: string, marks: readonly string[]): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(marks), { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}

const mostMarks = 100;
