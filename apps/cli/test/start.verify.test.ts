import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { Module } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { version } from "../package.json";
import { keptFolder, writeKept } from "../src/base/compiled/kept-code.ts";
import { bin, outcomeOf, place, written } from "./support/command-line.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The built-in modules that a command asks for and the files of the app that it loads, without the hashes in their names. */
function loadedBy(
  args: readonly string[],
  prepare: (folder: string) => void = () => {},
): { builtins: string[]; files: string[] } {
  const { folder } = place();
  prepare(folder);
  const spy = join(folder, "spy.cjs");
  writeFileSync(
    spy,
    `const { Module } = process.getBuiltinModule("node:module");
    const { writeFileSync } = process.getBuiltinModule("node:fs");
    const load = Module._load, names = new Set();
    Module._load = function (name) { names.add(name); return load.apply(this, arguments); };
    process.on("exit", () => writeFileSync(${JSON.stringify(join(folder, "loaded.json"))}, JSON.stringify([...names])));`,
  );
  execFileSync(process.execPath, ["-r", spy, bin, ...args], { cwd: folder, env: { HOME: folder }, stdio: "ignore" });
  const names: string[] = JSON.parse(readFileSync(join(folder, "loaded.json"), "utf8"));
  return {
    builtins: names.filter((name) => name.startsWith("node:")),
    files: [...new Set(names.filter((name) => name.endsWith(".cjs") && !name.startsWith("/")).map(withoutHash))],
  };
}

function nodes(names: string): string[] {
  return names.split(" ").map((name) => `node:${name}`);
}

function withoutHash(name: string): string {
  return name.replace(/^.*\//, "").replace(/(-[A-Z\d]{8})?\.cjs$/, "");
}

it("--version loads one file and nothing more, and -v does the same", () => {
  for (const option of ["--version", "-v"]) {
    const { files, builtins } = loadedBy([option]);
    expect(files).toEqual(["start"]);
    expect(builtins).toEqual(["node:fs"]);
  }
});

it("--help loads no body of a command, and a run with the offline model no other model and no page reader", () => {
  const help = loadedBy(["--help"]);
  expect(help.files).toEqual(["start", "main"]);
  expect(help.builtins.toSorted()).toEqual(nodes("events fs module os path process util vm zlib"));
  const run = loadedBy(["--provider", "offline", "--sandbox", "off", "read notes.txt"]);
  expect(run.files.toSorted()).toEqual([
    "chunk",
    "configure",
    "configure+list+run-command",
    "configure+run-command",
    "configure+run-command+chat",
    "list+run-command",
    "main",
    "run-command",
    "run-command+chat",
    "run-command+chat-command",
    "src",
    "start",
  ]);
  expect(run.builtins.toSorted()).toEqual(
    nodes("events fs fs/promises module os path sqlite timers/promises util vm zlib"),
  );
});

it("a run with 50 commands of the person loads nothing more, until one of them is used", () => {
  const commands = (folder: string) => {
    const own = join(folder, ".config/cogency/commands");
    mkdirSync(own, { recursive: true });
    for (let index = 0; index < 50; index++) writeFileSync(join(own, `c${index}.md`), "Do it.");
  };
  const args = ["--provider", "offline", "--sandbox", "off"];
  const plain = loadedBy([...args, "read notes.txt"]);
  expect(loadedBy([...args, "read notes.txt"], commands)).toEqual(plain);
  expect(loadedBy([...args, "/c7 notes.txt"], commands).files.length).toBeGreaterThan(plain.files.length);
});

/** A skill, a command and an extension of the person. */
function ownTexts(folder: string, front = "name: zip\ndescription: Packs files."): void {
  const own = join(folder, ".config/cogency");
  for (const path of ["skills/zip", "commands"]) mkdirSync(join(own, path), { recursive: true });
  writeFileSync(join(own, "skills/zip/SKILL.md"), `---\n${front}\n---\nPack them.`);
  writeFileSync(join(own, "commands/fix.md"), "---\ndescription: Fixes it.\n---\nFix it.");
}

it("what lists conversations and tells the configuration loads nothing that reads skills, commands and extensions", () => {
  const all = (folder: string) => {
    ownTexts(folder);
    writeFileSync(join(folder, ".config/cogency/one.mjs"), 'throw new Error("it is loaded");');
    writeFileSync(join(folder, ".config/cogency/config.json"), JSON.stringify({ tools: ["./one.mjs"] }));
  };
  for (const args of [
    ["history", "list"],
    ["config", "get"],
  ])
    expect([args, loadedBy(args, all).files]).toEqual([args, loadedBy(args).files]);
});

it("evaluates YAML only for front matter that is more than names and texts", () => {
  const isEvaluated = (front: string) => {
    const { folder } = place();
    ownTexts(folder, front);
    const spy = join(folder, "spy.cjs");
    writeFileSync(
      spy,
      `const own = Symbol.for;
      Symbol.for = (name) => { if (name === "yaml.alias") console.error(name); return own(name); };`,
    );
    const args = ["run", "--provider", "offline", "--sandbox", "off", "hello"];
    return startedWith({ HOME: folder }, args, { options: ["-r", spy], cwd: folder }).stderr.includes("yaml.alias");
  };
  expect(isEvaluated("name: zip\ndescription: Packs files.")).toBe(false);
  expect(isEvaluated("name: zip\ndescription: >-\n  Packs files.")).toBe(true);
});

it("the licenses of others are in what is published, and no file needs an installed package", () => {
  const licenses = readFileSync(join(dist, "third-party-licenses.txt"), "utf8");
  for (const name of ["@anthropic-ai/sdk", "@earendil-works/pi-tui", "commander", "openai", "postgres", "zod"])
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  const code = readdirSync(dist).filter((file) => file.endsWith(".cjs"));
  const bridge = readFileSync(join(dist, "bridge-process.cjs"), "utf8");
  expect(code).toEqual(expect.arrayContaining(["start.cjs", "readable-process.cjs", "bridge-process.cjs"]));
  expect(bridge).not.toContain('require("./');
});

/** Starts the command as its users do, with these variables. */
function startedWith(
  env: Record<string, string>,
  args: readonly string[] = ["--help"],
  { options = [], cwd }: { options?: readonly string[]; cwd?: string } = {},
) {
  return spawnSync(process.execPath, [...options, bin, ...args], { env, cwd, encoding: "utf8", timeout: 30_000 });
}

/** The folder in which this app keeps its compiled code, in a folder for caches. */
function keptIn(caches: string): string {
  return join(caches, "cogency", "compiled", keptFolder(version, dist.replace(/\/$/, "")));
}

it("what was compiled is kept for the user alone, also by a command that Ctrl-C ends, and grows with what is called", async () => {
  const { folder, start } = place();
  const env = { HOME: folder };
  const kept = keptIn(join(folder, ".cache"));
  const open = start(["open", "--no-browser", "--provider", "offline"], { env: { XDG_CACHE_HOME: "" } });
  const outcome = outcomeOf(open);
  await written(open.stderr, /one browser/);
  open.kill("SIGINT");
  expect((await outcome).code).toBe(130);
  const names = readdirSync(kept);
  const main = join(kept, names.find((name) => /^main-[\dA-F]{8}\.cjs\.code$/.test(name)) ?? "");
  expect(names.length).toBeGreaterThan(3);
  for (const path of [join(folder, ".cache"), join(kept, ".."), kept]) expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(main).mode & 0o777).toBe(0o600);

  const uses = () => readFileSync(main).readUInt32LE(8);
  expect([startedWith(env).status, uses()]).toEqual([0, 2]);
  // Valid code of another text, in what looks like the app's own file: it is removed, and the text is run.
  const text = readFileSync(join(dist, basename(main, ".code")), "utf8");
  const forged = new Script('"forged"'.padEnd(Module.wrap(text).length)).createCachedData();
  writeKept(kept, basename(main, ".code"), text, { code: forged, uses: 2 });
  expect(startedWith(env)).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Usage:") });
  expect([existsSync(main), startedWith(env).status, uses()]).toEqual([false, 0, 1]);
});

it("starts where nothing can be kept or others could write, and then touches nothing there", () => {
  const { folder } = place();
  const keys = join(folder, "keys");
  const open = keptIn(join(folder, ".cache"));
  mkdirSync(open, { recursive: true });
  chmodSync(open, 0o777);
  mkdirSync(keys);
  writeFileSync(join(keys, "id_ed25519"), "");
  // Another user has put links into a folder for all, before this user's first start.
  const shared = ["whole", "last"].map((name) => join(folder, name));
  for (const path of shared) mkdirSync(path);
  symlinkSync(keys, join(folder, "whole", "cogency"));
  mkdirSync(join(keptIn(join(folder, "last")), ".."), { recursive: true });
  symlinkSync(keys, keptIn(join(folder, "last")));
  for (const path of shared) chmodSync(path, 0o1777);
  writeFileSync(join(folder, "file"), "");
  for (const env of [
    { XDG_CACHE_HOME: "/proc/1/nothing" },
    { XDG_CACHE_HOME: join(folder, "file") },
    { HOME: folder },
    { HOME: folder, XDG_CACHE_HOME: "relative" },
    { HOME: join(folder, "other"), NODE_DISABLE_COMPILE_CACHE: "1" },
    ...shared.map((path) => ({ XDG_CACHE_HOME: path })),
  ])
    expect(startedWith(env)).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Usage:") });
  expect([readdirSync(open), existsSync(join(folder, "other")), readdirSync(keys)]).toEqual([
    [],
    false,
    ["id_ed25519"],
  ]);
});

it("keeps nothing in a relative NODE_COMPILE_CACHE, which a cloned repository could bring along", () => {
  const { folder } = place();
  const env = { HOME: folder, NODE_COMPILE_CACHE: ".nc", PATH: process.env.PATH ?? "" };
  expect(startedWith(env, ["run", "--provider", "offline", "hello"], { cwd: folder })).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, ".nc", "cogency"))).toBe(false);
  expect(readdirSync(keptIn(join(folder, ".cache"))).length).toBeGreaterThan(3);
});

it("an older Node is told which one is needed", () => {
  const { folder } = place();
  const older = join(folder, "older.cjs");
  const started = (version: string) => {
    const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
    writeFileSync(older, `Object.defineProperty(process, "versions", ${versions});`);
    const { status, stdout, stderr } = startedWith({ HOME: folder }, ["--version"], { options: ["-r", older] });
    return { status, stdout, stderr };
  };
  for (const version of ["18.20.4", "22.18.0"]) {
    expect(started(version)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: cogency needs Node 22.19 or newer, and this is Node ${version}.\nInstall a newer Node (https://nodejs.org), or run cogency with one that you have.\n`,
    });
  }
  for (const version of ["22.19.0", "23.0.0"]) expect(started(version)).toMatchObject({ status: 0, stderr: "" });
});
