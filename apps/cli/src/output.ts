import { complain } from "./complain.ts";
import { exitCodes } from "./exit-code.ts";

let leave: () => void = () => process.exit(exitCodes.done);

/** A reader that has left (`| head -1`) ends the process quietly; any other failure to write is an unexpected one. */
export function guardOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return leave();
    complain(`Standard output cannot be written: ${error.message}.`);
    process.exit(exitCodes.unexpected);
  });
  process.stderr.on("error", () => {});
}

/** Do this, instead of leaving at once, when nobody reads standard output any more. It is called for each failed write. */
export function whenReaderLeaves(action: () => void): void {
  leave = action;
}

/** Resolves when all that was written so far is out, or cannot be. */
export function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
