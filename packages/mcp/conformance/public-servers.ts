/**
 * Servers of others, from the registry, used by our client: lists what each has, and calls some of its tools.
 *
 * `node public-servers.ts` prints a line for each call, and exits with 1 if one did not give what it should.
 */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath, stdout } from "node:process";
import { mcp } from "../src/index.ts";
import { program } from "../src/node/index.ts";
import { publicCalls } from "./public/calls.ts";

const { resolve } = createRequire(import.meta.url);
const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-mcp-")));
await writeFile(join(folder, "note.txt"), "water the plants\n");
const started = (name: string, file: string, ...args: string[]) => ({
  connector: program({
    command: execPath,
    args: [resolve(`@modelcontextprotocol/server-${name}/${file}`), ...args],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    cwd: folder,
  }),
});
let failed = 0;
try {
  await using servers = mcp({
    servers: {
      everything: started("everything", "dist/index.js", "stdio"),
      files: started("filesystem", "dist/index.js", folder),
      memory: started("memory", "dist/index.js"),
      thinking: started("sequential-thinking", "dist/index.js"),
    },
    roots: [{ uri: `file://${folder}` }],
  });
  for (const { name, status, title, protocol, tools, reason } of await servers.connect()) {
    stdout.write(
      `${name}: ${status} · ${title} · ${protocol} · ${tools.length} tools${reason ? ` · ${reason}` : ""}\n`,
    );
    if (status !== "ready") failed++;
  }
  for (const { server, tool, args, holds } of publicCalls(folder)) {
    const { value, attachments, isError } = await servers.call(server, tool, args);
    const text = JSON.stringify(value);
    const isRight = !isError && holds.test(text + attachments.map(({ mediaType }) => mediaType).join());
    if (!isRight) failed++;
    stdout.write(`${isRight ? "ok" : "FAILED"} ${server} ${tool}: ${text.slice(0, 100)}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
stdout.write(
  `${failed === 0 ? "All servers and calls did what they should." : `${failed} did not do what they should.`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
