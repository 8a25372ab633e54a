import { openRoot } from "../../src/files/confine/root.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";

// A process of its own that runs one command in a sandbox. Arguments: the root, the guarded paths, the command.
const [path, guarded, command] = process.argv.slice(2);
const root = await openRoot(path, { access: "project", guarded: JSON.parse(guarded) });
await call(shellTool(root, { sandbox: "required" }), { command });
