import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRoot } from "@cogency/toolbox";
import { type ShellOptions, shellIsolation, shellTool } from "@cogency/toolbox/shell";

// Measures the wall-clock time of a call of `shell`, because it mostly waits for other processes. Run: node bench/shell.bench.ts
const rounds = 30;

const folder = await mkdtemp(join(tmpdir(), "cogency-bench-"));
const root = await openRoot(folder, { access: "project" });
const { isolated, problem } = await shellIsolation(root);
const context = { signal: new AbortController().signal, progress() {} };

const levels: [name: string, options: ShellOptions, args: object][] = [["off", { sandbox: "off" }, {}]];
if (isolated) {
  levels.push(["bwrap", { sandbox: "required" }, {}]);
  levels.push([
    "bwrap + hosts",
    { sandbox: "required", network: { hosts: ["example.org"] } },
    { hosts: ["example.org"] },
  ]);
} else {
  console.log(`Without a sandbox: ${problem}`);
}
const runs = levels.map(([name, options, args]) => ({
  name,
  tool: shellTool(root, options),
  args,
  times: [] as number[],
}));
// The variants take turns, so that other load on the machine affects all of them alike. The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const { tool, args, times } of runs) {
    const start = performance.now();
    await tool.execute({ command: "true", ...args }, context as never);
    if (round > 0) times.push(performance.now() - start);
  }
}
console.log(`shell: one call of "true", milliseconds by the clock, ${rounds} rounds`);
for (const { name, times } of runs) {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1).padStart(8);
  console.log(`${name.padEnd(14)} median ${at(0.5)}   least ${at(0)}   most ${at(1)}`);
}
await rm(folder, { recursive: true });
