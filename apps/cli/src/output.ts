import { complain } from "./complain.ts";
import { exitCodes } from "./exit-code.ts";
import { visible } from "./text.ts";

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
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** One line of JSON. What could steer a terminal is escaped, which JSON allows. */
export function putLine(value: unknown): Promise<void> {
  return put(`${jsonLine(value)}\n`);
}

export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}

/** Resolves when all that was written so far is out, or cannot be. */
export function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
