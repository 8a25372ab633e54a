import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import {
  type Attack,
  attacks,
  type Changeable,
  type Level,
  type Listener,
  levels,
  type Targets,
} from "../../test/sandbox/attacks.ts";
import { isSandboxed } from "../../test/sandbox/describe-sandbox.ts";
import { endingOf } from "../../test/shell/ending-of.ts";
import { openRoot } from "../files/confine/root.ts";
import type { ShellOptions } from "../shell/shell-options.ts";
import { shellTool } from "../shell/shell-tool.ts";

const options: Record<Level, ShellOptions> = {
  off: { sandbox: "off" },
  "auto without bwrap": { sandbox: "auto", warn: () => {} },
  bwrap: { sandbox: "required" },
  "bwrap + hosts": { sandbox: "required", network: { hosts: ["site.example"] }, lookup: async () => ["127.0.0.1"] },
};
const needsBwrap = (level: Level) => level.startsWith("bwrap");
const isRequired = process.env.COGENCY_REQUIRE_BWRAP === "1";

/** A PATH with the programs that the attacks use, but without bwrap. */
let pathWithoutBwrap = "";
beforeAll(async () => {
  pathWithoutBwrap = await mkdtemp(join(tmpdir(), "cogency-path-"));
  for (const name of [
    "bash",
    "cat",
    "cp",
    "grep",
    "head",
    "kill",
    "ln",
    "mkdir",
    "mv",
    "perl",
    "rm",
    "setsid",
    "sleep",
    "tr",
    "unshare",
    "wc",
    "echo",
    "git",
  ]) {
    const found = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(existsSync);
    if (found) await symlink(realpathSync(found), join(pathWithoutBwrap, name));
  }
});
afterAll(() => rm(pathWithoutBwrap, { recursive: true }));

for (const level of levels) {
  describe.runIf(!needsBwrap(level) || isSandboxed || isRequired)(`at the level "${level}"`, () => {
    const expected = (attack: Attack) =>
      !attack.keptOut.includes(level) && !(attack.needsRoot === true && process.getuid?.() !== 0);

    if (needsBwrap(level)) {
      // One command makes all attacks, which is faster: an attack that fails changes nothing for the next one.
      let succeeded: boolean[] = [];
      beforeAll(async () => {
        succeeded = await attempt(level, attacks);
      });
      it.each(attacks.map((attack, at) => [attack.name, attack, at] as const))("%s", (_, attack, at) => {
        expect(succeeded[at]).toBe(expected(attack));
      });
    } else {
      it.each(attacks.map((attack) => [attack.name, attack] as const))("%s", async (_, attack) => {
        expect(await attempt(level, [attack])).toEqual([expected(attack)]);
      });
    }
  });
}

describe("docs/sandbox.md", () => {
  it("shows the same table of attacks and levels that these tests check", () => {
    const page = readFileSync(new URL("../../docs/sandbox.md", import.meta.url), "utf8");
    expect(page).toContain(`\n\n${tableOf(attacks).join("\n")}\n\n`);
  });
});

function tableOf(rows: readonly Attack[]): string[] {
  const cell = (attack: Attack, level: Level) =>
    attack.keptOut.includes(level) ? "kept out" : attack.needsRoot ? "**open** to root" : "**open**";
  return [
    `| a command can … | ${levels.map((level) => `\`${level}\``).join(" | ")} |`,
    `| --- |${" --- |".repeat(levels.length)}`,
    ...rows.map((attack) => `| ${attack.name} | ${levels.map((level) => cell(attack, level)).join(" | ")} |`),
  ];
}

/** Makes attacks, one after another, in folders of their own. @returns which of them succeeded */
async function attempt(level: Level, chosen: readonly Attack[]): Promise<boolean[]> {
  const path = process.env.PATH ?? "";
  const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-attack-")));
  const [folder, outside] = [join(base, "root"), join(base, "outside")];
  const mark = `cogency-${Math.random().toString(36).slice(2)}`;
  const heard = new Set<Listener>();
  const servers: Server[] = [];
  const listen = async (name: Listener, address: object) => {
    const server = createServer((socket) => {
      heard.add(name);
      socket.destroy();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(address, resolve));
    return server;
  };
  await mkdir(join(folder, "guarded"), { recursive: true });
  await mkdir(outside);
  const contents: Record<string, string> = { "outside/secret": "CANARY", "root/guarded/store.db": "CANARY" };
  contents["root/guarded.key"] = "CANARY";
  await mkdir(join(folder, ".cogency"));
  contents["root/.cogency/config.json"] = "person";
  contents["root/AGENTS.md"] = "person";
  for (const [file, content] of Object.entries(contents)) await writeFile(join(base, file), content);
  const template = join(base, "template");
  await mkdir(join(template, "hooks"), { recursive: true });
  for (const repository of [folder, join(folder, "sub")]) {
    execFileSync("git", ["init", "--quiet", `--template=${template}`, repository], { env: { PATH: path } });
  }
  const victim = spawn("sleep", ["60"], { cwd: outside, env: { PATH: path, KEY: "CANARY" }, stdio: "ignore" });
  const tcp = await listen("tcp", { port: 0, host: "127.0.0.1" });
  await listen("outerSocket", { path: join(outside, "socket") });
  await listen("innerSocket", { path: join(folder, "socket") });
  await listen("abstractSocket", { path: `\0${mark}` });
  const { port } = tcp.address() as AddressInfo;
  const targets: Targets = { root: folder, outside, victim: victim.pid ?? 0, port, abstract: mark, mark };

  /** Everything that the attacks try to change. */
  async function state(): Promise<Record<Changeable, unknown>> {
    const text = (file: string) => readFile(join(base, file), "utf8").catch(() => "gone");
    const names = (file: string) => readdir(join(base, file)).catch(() => "gone");
    const isThere = (file: string) => existsSync(join(base, file));
    return {
      outside: await text("outside/secret"),
      victim: victim.signalCode,
      daemon: processesOf(mark).length,
      tmp: existsSync(join("/tmp", mark)),
      guarded: [await text("root/guarded/store.db"), await text("root/guarded.key"), isThere("root/moved")],
      missing: [isThere("root/missing.db"), isThere("root/missing")],
      obeyed: [
        await text("root/.cogency/config.json"),
        await text("root/AGENTS.md"),
        isThere("root/x/y/.cogency"),
        isThere("root/x/AGENTS.md"),
        isThere("root/x/other"),
      ],
      made: [isThere("root/made/y/.git"), isThere("root/made/z/.git")],
      repository: [
        await text("root/.git/config"),
        await names("root/.git/hooks"),
        isThere("root/.git/commondir"),
        await text("root/sub/.git/config"),
      ],
      package: await text("root/package.json"),
    };
  }

  try {
    process.env.COGENCY_CANARY = "CANARY";
    if (level === "auto without bwrap") process.env.PATH = pathWithoutBwrap;
    const guarded = ["guarded/store.db", "guarded.key", "missing.db", "missing/store.db"];
    const root = {
      ...(await openRoot(folder, { access: "project" })),
      guarded: guarded.map((file) => join(folder, file)),
    };
    const tool = shellTool(root, options[level]);
    for (const [at, attack] of chosen.entries()) await writeFile(join(folder, `${at}.sh`), attack.script(targets));
    const all = chosen.map((_, at) => `echo "== ${at}"; bash ${at}.sh 2>&1; cd ${folder}`);
    await writeFile(join(folder, "all.sh"), all.join("\n"));
    const before = await state();
    const asked = level === "bwrap + hosts" && { hosts: ["site.example"] };
    const { stdout } = await endingOf(call(tool, { command: "bash all.sh", ...asked }));
    if (!needsBwrap(level) && chosen.some(({ succeeds }) => succeeds === "victim")) {
      await expect.poll(() => victim.signalCode).toBe("SIGKILL");
    }
    const after = await state();
    const printed = stdout.split(/^== \d+$/m).slice(1);
    return chosen.map(({ succeeds }, at) => {
      if (succeeds === "prints") return printed[at]?.includes("CANARY") ?? false;
      if (succeeds in after) return !isDeepStrictEqual(after[succeeds as Changeable], before[succeeds as Changeable]);
      return heard.has(succeeds as Listener);
    });
  } finally {
    process.env.PATH = path;
    delete process.env.COGENCY_CANARY;
    victim.kill("SIGKILL");
    for (const server of servers) server.close();
    for (const pid of processesOf(mark)) process.kill(pid, "SIGKILL");
    await rm(join("/tmp", mark), { force: true });
    await rm(base, { recursive: true, force: true });
  }
}

function processesOf(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandOf(name).startsWith(mark))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
