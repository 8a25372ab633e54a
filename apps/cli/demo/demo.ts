import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs the real command in a small project of its own, with the offline model: what is shown between the `$` lines is
 * what the command writes. The folder and the store beside it are gone afterwards.
 */
function demo(): number {
  const place = mkdtempSync(join(tmpdir(), "cogency-demo-"));
  try {
    const project = join(place, "project");
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), content);
    }
    console.log("A conversation with the offline model (--provider offline): no key, no network.\n");
    for (const args of commands) {
      console.log(`$ cogency ${args.map(shellWord).join(" ")}`);
      const code = cogency(args, project, place);
      console.log();
      if (code !== 0) {
        console.error(`demo: the command ended with code ${code}.`);
        return 1;
      }
    }
    return 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const commands = [
  ["list src and read package.json", "--conversation", "demo"],
  [
    "--conversation",
    "demo",
    "--allow",
    "write",
    "write 'Greet in French, too.' to notes/todo.md and read notes/todo.md",
  ],
  ["--conversation", "demo", "read CHANGELOG.md"],
  ["history", "show", "demo"],
];

const files = {
  "README.md": "# greeter\n\nSays hello, politely.\n",
  "package.json": `${JSON.stringify({ name: "greeter", version: "1.2.0", type: "module", main: "src/index.js" }, null, 2)}\n`,
  "src/index.js": 'import { greet } from "./greet.js";\n\nconsole.log(greet(process.argv[2] ?? "world"));\n',
  "src/greet.js": 'export function greet(name) {\n  return ["Hello", name].join(", ");\n}\n',
};

/** Both outputs go where ours goes, so that their lines keep the order they have on a terminal. */
function cogency(args: string[], project: string, data: string): number | null {
  const bin = fileURLToPath(new URL("../bin/cogency.cjs", import.meta.url));
  const provider = args[0] === "history" ? [] : ["--provider", "offline"];
  const { status, error } = spawnSync(process.execPath, [bin, ...args, ...provider], {
    cwd: project,
    env: { ...process.env, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data },
    stdio: ["ignore", 1, 1],
  });
  if (error) throw error;
  return status;
}

function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `"${word}"`;
}

process.exitCode = demo();
