import { openRoot } from "../../src/files/confine/root.ts";
import { hostCommands } from "../../src/shell/host-commands.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";

// A process of its own that runs one command after another until it is killed. Arguments: the root, the command, and `sandbox`, or `host`
// for commands of the host without one. It prints a line after the first command.
const [path, command, kind] = process.argv.slice(2);
const root = await openRoot(path, { access: "project" });
const signal = new AbortController().signal;
const usual = { command, stdin: "", timeout: 60_000, maxOutputBytes: 1000, signal };
const run = {
  sandbox: () => call(shellTool(root, { sandbox: "required" }), { command }),
  host: () => hostCommands(root)(usual),
}[kind];
for (let count = 0; ; count++) {
  await run();
  if (count === 0) console.log("begun");
}
