import { listenForCancellation } from "./cancellation.ts";
import { cli } from "./cli.ts";
import { guardOutput } from "./guard-output.ts";
import { flushed } from "./terminal/output.ts";

// While a command is being carried out the process stays, also when a provider waits for something that never comes.
setInterval(() => {}, 60_000);
const cancellation = listenForCancellation();
guardOutput(cancellation.readerLeft);
const code = await cli(process.argv.slice(2), cancellation);
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Not left to the event loop: whatever a provider still holds open must not keep the terminal.
process.exit(code);
