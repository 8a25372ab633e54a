import { fstatSync, writeFileSync } from "node:fs";
import { escaped } from "./text.ts";

/** Writes to stdout. Resolves when the text is out, so that a slow reader slows the writer down. */
export function put(text: string): Promise<void> {
  if (isFile(process.stdout.fd)) return putInFile(text);
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** Writes all of a text to a file, or fails. The stream of Node does not notice that a full disk took only a part. */
async function putInFile(text: string): Promise<void> {
  try {
    writeFileSync(process.stdout.fd, text);
  } catch (error) {
    // Ends the process with an exit code (main.ts).
    process.stdout.destroy(error as Error);
    await new Promise(() => {});
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

export function putLine(value: unknown): Promise<void> {
  return put(`${jsonLine(value)}\n`);
}

/**
 * Returns a value as one line of JSON. Escapes characters that control a terminal or are invisible; a parser of the JSON
 * reads the same text.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charAt(index))).join(""),
  );
}

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Resolves when everything written so far is out, or cannot be written any more. */
export function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
