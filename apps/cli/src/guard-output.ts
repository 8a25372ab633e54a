import { exitCodes } from "./base/errors/exit-code.ts";
import { complain } from "./base/errors/message-of.ts";

/**
 * Calls `readerLeft` for each write to a standard output whose reader has gone (`| head -1`), or to a terminal that was closed. Any other failure to write
 * ends the process with an error.
 */
export function guardOutput(readerLeft: () => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "EIO") return readerLeft();
    complain(`Standard output cannot be written: ${error.message}.`);
    process.exit(exitCodes.unexpected);
  });
  process.stderr.on("error", () => {});
}
