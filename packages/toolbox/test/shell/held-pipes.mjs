// Ends by itself only if no handle is left open by a call whose child outlives it.
import { openRoot } from "../../src/files/root.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";

const tool = shellTool(await openRoot(process.argv[2], { access: "project" }), { sandbox: "off" });
const context = { signal: new AbortController().signal, progress() {} };
const result = await tool.execute({ command: "setsid bash -c 'echo $$; exec sleep 60'" }, context);
process.stdout.write(JSON.stringify(result));
