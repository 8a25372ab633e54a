import { listenForCancellation } from "./base/cancellation.ts";
import { exitCodes } from "./base/errors/exit-code.ts";
import { complain } from "./base/errors/message-of.ts";
import { flushed } from "./base/terminal/output.ts";
import { cli } from "./cli.ts";

/** Carries out the command line of the process, and ends the process. */
export async function main(): Promise<void> {
  // Keeps the process alive until the command has ended, also if a provider waits for something that never comes.
  setInterval(() => {}, 60_000);
  const cancellation = listenForCancellation();
  guardOutput(cancellation.readerLeft);
  const code = await cli(process.argv.slice(2), cancellation);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // Does not wait for the event loop: a provider that still holds something open must not block the terminal.
  process.exit(code);
}

/**
 * Calls `readerLeft` for each write to a standard output whose reader has gone (`| head -1`), or to a terminal that was closed. Any other failure to write
 * ends the process with an error.
 */
function guardOutput(readerLeft: () => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "EIO") return readerLeft();
    complain(`Standard output cannot be written: ${error.message}.`);
    process.exit(exitCodes.unexpected);
  });
  process.stderr.on("error", () => {});
}
