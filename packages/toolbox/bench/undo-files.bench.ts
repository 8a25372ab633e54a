import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openRoot } from "@cogency/toolbox";
import { shellTool } from "@cogency/toolbox/shell";
import { openUndo } from "@cogency/toolbox/undo";

// Measures the undo of a command that changed, made or deleted very many files. Run: node bench/undo-files.bench.ts [files]
const count = Number(process.argv[2] ?? 2000);
const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-bench-")));
const [base, copies] = [join(folder, "root"), join(folder, "copies")];
for (let at = 0; at < count; at += 1) {
  const place = join(base, `part${at % 50}`);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, `file${at}.ts`), `${at}\n${"export const value = 1;\n".repeat(80)}`);
}
const root = await openRoot(base, { access: "project" });
const undo = openUndo({ folder: copies });
const shell = shellTool(root, { sandbox: "off", undo });
let calls = 0;

console.log(`undo of ${count} files, milliseconds by the clock, load ${loadavg()[0]?.toFixed(2)}`);
for (const [what, command] of [
  ["changed", "for f in */*.ts; do echo x >> $f; done"],
  ["made", "for f in */*.ts; do cp $f $f.new; done"],
  ["deleted", "rm -rf part*"],
] as const) {
  calls += 1;
  const context = {
    signal: new AbortController().signal,
    progress() {},
    conversation: "bench",
    call: { id: `call_${calls}`, name: "shell", args: { command } },
  };
  await shell.execute({ command }, context as never);
  const { id: from = "" } = (await undo.entries({ conversation: "bench" })).at(-1) ?? {};
  const point = { from };
  const start = performance.now();
  const { restore } = await undo.plan({ conversation: "bench" }, point);
  const planned = performance.now();
  const { restored, left } = await undo.undo({ conversation: "bench" }, point);
  const times = [planned - start, performance.now() - planned].map((time) => time.toFixed(0).padStart(6));
  console.log(
    `${what.padEnd(8)} plan ${times[0]}  undo ${times[1]}  (${restore.length}, ${restored.length}, ${left.length} left)`,
  );
}
await rm(folder, { recursive: true, force: true });
