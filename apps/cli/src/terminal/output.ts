import { fstatSync, writeFileSync } from "node:fs";
import { escaped } from "./text.ts";

/** Writes to stdout no faster than it is read. */
export function put(text: string): Promise<void> {
  if (isFile(process.stdout.fd)) return putInFile(text);
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** The stream itself takes a part for the whole when a disk is about to be full. */
async function putInFile(text: string): Promise<void> {
  try {
    writeFileSync(process.stdout.fd, text);
  } catch (error) {
    // Ends the process with an exit code that says so (guard-output.ts).
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
 * One line of JSON. What could steer a terminal or cannot be seen is escaped, which JSON allows everywhere: a reader of
 * the JSON gets the same text.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charAt(index))).join(""),
  );
}

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Resolves when all that was written so far is out, or cannot be. */
export function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
