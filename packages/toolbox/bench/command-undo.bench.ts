import { lstatSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openRoot } from "@cogency/toolbox";
import { shellTool } from "@cogency/toolbox/shell";
import { openUndo } from "@cogency/toolbox/undo";

// Measures what undo adds to a command in a repository of 10,000 files of 65 MB in 520 folders, with rules of git. A command takes as
// long as `true` without the tool's looks plus what is printed. Run: node bench/command-undo.bench.ts
const rounds = 15;
const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-bench-")));
const [base, copies] = [join(folder, "root"), join(folder, "copies")];

const files: string[] = [];
for (let outer = 0; outer < 20; outer += 1) {
  for (let inner = 0; inner < 25; inner += 1) {
    const place = join(base, `part${outer}`, `module${inner}`);
    await mkdir(place, { recursive: true });
    for (let file = 0; file < 20; file += 1) {
      const path = join(place, `file${file}.ts`);
      await writeFile(
        path,
        `${files.length}\n${"export const value = 1;\n".repeat(80 + ((files.length * 7919) % 380))}`,
      );
      files.push(path);
    }
  }
}
await mkdir(join(base, ".git"), { recursive: true });
await writeFile(
  join(base, ".gitignore"),
  "dist/\nnode_modules\n*.log\n.env*\n/build\ncoverage/**\n!keep.log\n*.tsbuildinfo\n",
);
await writeFile(join(base, "package.json"), '{"scripts":{"test":"true"}}');

const root = await openRoot(base, { access: "project" });
const undo = openUndo({ folder: copies });
const [plain, kept] = [undefined, undo].map((keeper) => shellTool(root, { sandbox: "off", undo: keeper }));
let calls = 0;
const call = async (tool: typeof plain, command: string) => {
  calls += 1;
  const context = {
    signal: new AbortController().signal,
    progress() {},
    conversation: "bench",
    call: { id: `call_${calls}`, name: "shell", args: { command } },
  };
  const start = performance.now();
  await tool?.execute({ command }, context as never);
  return performance.now() - start;
};
const watch = async (change: () => unknown = () => {}) => {
  const start = performance.now();
  const watching = await undo.watch(root, {
    call: { id: "call", name: "shell", args: {} },
    conversation: "bench",
    user: undefined,
  });
  const begun = performance.now();
  await change();
  const changed = performance.now();
  await watching.ended();
  return begun - start + (performance.now() - changed);
};

console.log(`undo of commands: ${files.length} files, milliseconds by the clock, load ${loadavg()[0]?.toFixed(2)}`);
console.log(`first command of a conversation     ${(await watch()).toFixed(0).padStart(6)}`);
// What was written within the last 100 ms is read again.
await new Promise((resolve) => setTimeout(resolve, 200));
const times = { floor: [] as number[], watch: [] as number[], plain: [] as number[], kept: [] as number[] };
const processor = { floor: [] as number[], watch: [] as number[] };
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let longestBlock = 0;
for (let round = 0; round <= rounds; round += 1) {
  const [start, before] = [performance.now(), spent()];
  for (const file of files) lstatSync(file, { bigint: true });
  const [floor, between] = [performance.now() - start, spent()];
  const watched = await watch();
  const after = spent();
  const [without, with_] = [await call(plain, "true"), await call(kept, "true")];
  if (round === 0) continue;
  processor.floor.push(between - before);
  processor.watch.push(after - between);
  times.floor.push(floor);
  times.watch.push(watched);
  times.plain.push(without);
  times.kept.push(with_);
}
const print = (name: string, values: number[]) => {
  values.sort((a, b) => a - b);
  const at = (share: number) => (values[Math.floor(share * (values.length - 1))] ?? 0).toFixed(1).padStart(7);
  console.log(`${name.padEnd(34)} median ${at(0.5)}   least ${at(0)}   most ${at(1)}`);
};
print("floor: 10,000 lstat", times.floor);
print("a command that changes nothing", times.watch);
print("  the same, time of the processor", processor.watch);
print("  the floor, time of the processor", processor.floor);
print("`true` with looks, without undo", times.plain);
print("`true` with undo", times.kept);
let last = performance.now();
const timer = setInterval(() => {
  longestBlock = Math.max(longestBlock, performance.now() - last);
  last = performance.now();
}, 1);
for (let round = 0; round < 5; round += 1) await watch();
clearInterval(timer);
console.log(`longest time without other work    ${longestBlock.toFixed(0).padStart(7)}`);
const changing: number[] = [];
for (let round = 0; round < 5; round += 1) {
  changing.push(
    await watch(() =>
      Promise.all(files.slice(round * 100, round * 100 + 100).map((file) => appendFile(file, "// more\n"))),
    ),
  );
}
print("a command that changes 100 files", changing);
console.log(`load at the end ${loadavg()[0]?.toFixed(2)}`);
await rm(folder, { recursive: true });
