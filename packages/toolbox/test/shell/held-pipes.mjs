// Ends by itself only if a call whose child outlives it leaves no handle open.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRoot } from "../../src/files/confine/root.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";

const folder = process.argv[2];
const tool = shellTool(await openRoot(folder, { access: "project" }), { sandbox: "off" });
const context = { signal: new AbortController().signal, progress() {} };
writeFileSync(join(folder, "left.sh"), "echo $$; touch begun; exec sleep 60");
// The program ends only after the process that it leaves behind has its own session and has printed its pid.
const command = "bash -c 'setsid bash left.sh & until [ -e begun ]; do sleep 0.01; done'";
const result = await tool.execute({ command }, context);
process.stdout.write(JSON.stringify(result));
