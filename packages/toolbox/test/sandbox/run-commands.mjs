import { openRoot } from "../../src/files/confine/root.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";

// A process of its own that runs one command after another until it is killed. Arguments: the root, the command. It prints a line after
// the first one.
const [path, command] = process.argv.slice(2);
const shell = shellTool(await openRoot(path, { access: "project" }), { sandbox: "required" });
for (let count = 0; ; count++) {
  await call(shell, { command });
  if (count === 0) console.log("begun");
}
