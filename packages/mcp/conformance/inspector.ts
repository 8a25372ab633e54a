/**
 * The CLI of the MCP Inspector, used with our server: the tools of a folder that `cogency mcp serve` offers, and the fixtures of
 * `server.ts`. It lists and calls in each era of the protocol that the Inspector knows, and checks the schemas of tools.
 *
 * `node inspector.ts` prints a line for each call, and exits with 1 if one did not give what it should. It needs a built workspace, and
 * fetches the Inspector from the registry.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { eras, inspected } from "./inspector/calls.ts";
import { fetchInspector } from "./inspector/fetch-inspector.ts";
import { problemOf } from "./inspector/problem-of.ts";

const folder = await mkdtemp(join(tmpdir(), "cogency-inspector-"));
await writeFile(join(folder, "note.txt"), "water the plants\n");
let failed = 0;
try {
  const inspect = await fetchInspector(folder);
  for (const { name, command, calls } of inspected)
    for (const era of eras)
      for (const call of calls) {
        const run = await inspect([...command, "--protocol-era", era, "--format", "json", ...call.args]);
        const problem = problemOf(run, call, era);
        if (problem !== undefined) failed++;
        stdout.write(
          `${problem === undefined ? "ok" : "FAILED"} ${name} ${era}: ${call.args.join(" ")}\n${problem ?? ""}`,
        );
      }
} finally {
  await rm(folder, { recursive: true, force: true });
}
stdout.write(
  `${failed === 0 ? "The Inspector got what it should." : `${failed} calls did not give what they should.`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
