import { statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ShownResult } from "../../person/show/run-display.ts";

/**
 * Checks the path of `--answer-file` before a model is asked: its folder must be there, and it must be no folder itself.
 *
 * @throws UsageError
 */
export function checkAnswerFile(path: string | undefined): void {
  if (path === undefined) return;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unusable(path, "it is a folder.");
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw unusable(path, "its folder does not exist.");
}

/**
 * Writes the answer, with one line break at its end; an answer that fits a schema as JSON.
 *
 * @throws UsageError if the file cannot be written
 */
export async function writeAnswer(path: string, { text, object }: ShownResult): Promise<void> {
  const answer = object === undefined ? text : JSON.stringify(object);
  try {
    await writeFile(path, `${answer.replace(/\n+$/, "")}\n`);
  } catch (error) {
    throw unusable(path, messageOf(error as Error));
  }
}

function unusable(path: string, why: string): UsageError {
  return new UsageError(`The answer cannot be written to ${oneLine(path, 200)}: ${why}`);
}
