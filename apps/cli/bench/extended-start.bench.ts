import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

// How much longer the command takes to start with what a person has added to it: 50 skills, 50 commands and three tool packages.
// Medians of wall time, in milliseconds and as multiples of the same command without them. The commands run in turn, so that a machine
// whose speed drifts slows all of them. Each has a home of its own, whose compiled code an earlier round has kept.

const rounds = Number(process.env.COGENCY_ROUNDS ?? 25);
const bin = join(import.meta.dirname, "../bin/cogency.cjs");
const folder = mkdtempSync(join(tmpdir(), "cogency-extended-"));
const commands: Readonly<Record<string, readonly string[]>> = {
  "run, offline model": ["run", "--provider", "offline", "--sandbox", "off", "--ephemeral", "hello"],
  "tools list": ["tools", "list"],
};
const parts: Readonly<Record<string, (home: string) => void>> = {
  plain() {},
  "three tool packages": tools,
  "50 skills, 50 commands": texts,
  "all of it": (home) => {
    tools(home);
    texts(home);
  },
};

try {
  for (const [name, add] of Object.entries(parts)) add(homeOf(name));
  const times = new Map<string, number[]>();
  // The first round fills the compile cache.
  for (let round = 0; round <= rounds; round++) {
    for (const [command, args] of Object.entries(commands)) {
      for (const part of Object.keys(parts)) {
        const time = timeOf(part, args);
        const key = `${command} / ${part}`;
        if (round > 0) times.set(key, [...(times.get(key) ?? []), time]);
      }
    }
  }
  console.log(`${"".padEnd(46)}${"wall ms".padStart(9)}${"×".padStart(7)}`);
  for (const command of Object.keys(commands)) {
    const plain = median(times.get(`${command} / plain`) ?? []);
    for (const part of Object.keys(parts)) {
      const wall = median(times.get(`${command} / ${part}`) ?? []);
      console.log(
        `${command}, ${part}`.padEnd(46) + wall.toFixed(0).padStart(9) + (wall / plain).toFixed(2).padStart(7),
      );
    }
  }
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`load average ${load.join(", ")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function homeOf(part: string): string {
  const home = join(folder, part.replaceAll(/\W+/g, "-"));
  mkdirSync(join(home, "work"), { recursive: true });
  mkdirSync(join(home, ".config/cogency"), { recursive: true });
  return home;
}

function timeOf(part: string, args: readonly string[]): number {
  const home = homeOf(part);
  const env = { PATH: process.env.PATH, HOME: home };
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: join(home, "work"),
    env,
    encoding: "utf8",
  });
  const wall = performance.now() - startedAt;
  const left = /left out|extension/i.exec(stderr);
  if (status !== 0 || left) throw new Error(`${part}: ${args.join(" ")} ended with ${status}: ${stderr}`);
  return wall;
}

/** Three packages, as `cogency init tool` makes them after a build. */
function tools(home: string): void {
  const config = join(home, ".config/cogency");
  const names = ["one", "two", "three"];
  for (const name of names) {
    const at = join(config, "node_modules", `cogency-tool-${name}`);
    mkdirSync(join(at, "dist"), { recursive: true });
    const manifest = { name: `cogency-tool-${name}`, type: "module", exports: "./dist/tool.js" };
    writeFileSync(join(at, "package.json"), JSON.stringify(manifest));
    writeFileSync(
      join(at, "dist/tool.js"),
      `import { defineTool } from "@cogency/tools";
       export default () => defineTool({
         name: "${name}", description: "Does ${name}.",
         input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
         annotations: { readOnlyHint: true }, execute: ({ text }) => text,
       });`,
    );
  }
  writeFileSync(join(config, "config.json"), JSON.stringify({ tools: names.map((name) => `cogency-tool-${name}`) }));
}

function texts(home: string): void {
  const config = join(home, ".config/cogency");
  mkdirSync(join(config, "commands"), { recursive: true });
  for (let index = 0; index < 50; index++) {
    const skill = join(config, "skills", `skill-${index}`);
    mkdirSync(skill, { recursive: true });
    const front = (name: string) =>
      `---\nname: ${name}\ndescription: Does ${name}. Use it when ${name} is to be done.\n---\n`;
    const body = "Look at it with care, and say what you have found.\n".repeat(40);
    writeFileSync(join(skill, "SKILL.md"), front(`skill-${index}`) + body);
    writeFileSync(
      join(config, "commands", `command-${index}.md`),
      `---\ndescription: Does it.\n---\nDo $ARGUMENTS.\n${body}`,
    );
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
