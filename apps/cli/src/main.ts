import { listenForCancellation } from "./base/cancellation.ts";
import { flushed } from "./base/terminal/output.ts";
import { cli } from "./cli.ts";
import { guardOutput } from "./guard-output.ts";

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
