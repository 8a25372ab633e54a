import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { headRow, median, paintOf, script, type Time, timeOf, timeRow } from "./support/timed.ts";

// How much longer the command takes to start with what a person has added to it: 50 skills, 50 commands and three tool packages.
// Medians of wall time and, on Linux, means of CPU time, in milliseconds and as multiples of the same command without them. Of the chat,
// the time until its first frame. The commands run in turn, so that a machine whose speed drifts slows all of them. Each has a home of
// its own, whose compiled code earlier rounds have kept.

const rounds = Number(process.env.COGENCY_ROUNDS ?? 25);
const bin = join(import.meta.dirname, "../bin/cogency.cjs");
const folder = mkdtempSync(join(tmpdir(), "cogency-extended-"));
const commands: Readonly<Record<string, readonly string[]>> = {
  "run, offline model": ["run", "--provider", "offline", "--sandbox", "off", "--ephemeral", "hello"],
  "tools list": ["tools", "list"],
};
const chat = ["chat", "--provider", "offline", "--sandbox", "off"];
const painted = { shows: /\/help shows/, leave: "/quit\r" };
/** As often, a command adds to the compiled code what it has called. */
const lessons = 5;

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
  const times = new Map<string, Time[]>();
  for (let round = -lessons; round < rounds; round++) {
    for (const part of Object.keys(parts)) {
      const measured = Object.entries(commands).map(([command, args]) => [command, ended(part, args)] as const);
      if (script !== undefined)
        measured.push(["chat, first frame", await paintOf(script, [bin, ...chat], placeOf(part), painted)]);
      for (const [command, time] of measured) {
        const key = `${command} / ${part}`;
        if (round >= 0) times.set(key, [...(times.get(key) ?? []), time]);
      }
    }
  }
  console.log(headRow(46));
  for (const [key, all] of times) {
    const [command] = key.split(" / ");
    const [plain, own] = [times.get(`${command} / plain`) ?? [], all].map((list) => ({
      wall: median(list.map(({ wall }) => wall)),
      cpu: list.reduce((sum, { cpu }) => sum + cpu, 0) / list.length,
    }));
    if (plain === undefined || own === undefined) continue;
    console.log(timeRow(key.replace(" / ", ", "), 46, own, plain));
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

function placeOf(part: string): { cwd: string; home: string } {
  const home = homeOf(part);
  return { cwd: join(home, "work"), home };
}

function ended(part: string, args: readonly string[]): Time {
  const { said, ...time } = timeOf([bin, ...args], placeOf(part));
  if (/left out|extension/i.test(said)) throw new Error(`${part}: ${args.join(" ")}: ${said}`);
  return time;
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
