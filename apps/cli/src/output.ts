import { fstatSync, writeFileSync } from "node:fs";
import { complain } from "./complain.ts";
import { exitCodes } from "./exit-code.ts";
import { escaped } from "./text.ts";

/**
 * A reader of standard output who has left (`| head -1`) is told to `readerLeft`, once for each failed write; any other
 * failure to write is an unexpected one.
 */
export function guardOutput(readerLeft: () => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return readerLeft();
    complain(`Standard output cannot be written: ${error.message}.`);
    process.exit(exitCodes.unexpected);
  });
  process.stderr.on("error", () => {});
}

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
    // Ends the process, see guardOutput: nobody is told that all went well.
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
