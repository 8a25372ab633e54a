// Prints the descriptors that a command of the shell tool inherits. Run: node list-descriptors.mjs ROOT LEVEL
import { openRoot } from "../../src/files/confine/root.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";

const tool = shellTool(await openRoot(process.argv[2], { access: "project" }), { sandbox: process.argv[3] });
const context = { signal: new AbortController().signal, progress() {} };
process.stdout.write(JSON.stringify(await tool.execute({ command: "ls -l /proc/self/fd" }, context)));
