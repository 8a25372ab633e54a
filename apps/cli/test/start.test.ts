import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bin, place } from "./support/command-line.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The built-in modules that a command asks for and the files of the app that it loads, without the hashes in their names. */
function loadedBy(args: readonly string[]): { builtins: string[]; files: string[] } {
  const { folder } = place();
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
  expect(help.builtins.toSorted()).toEqual(nodes("events fs module os path process util vm"));
  const run = loadedBy(["--provider", "offline", "--sandbox", "off", "read notes.txt"]);
  expect(run.files.toSorted()).toEqual([
    "configure",
    "configure+list+run-command",
    "configure+run-command",
    "list+run-command",
    "main",
    "run-command",
    "src",
    "start",
  ]);
  expect(run.builtins.toSorted()).toEqual(
    nodes("crypto events fs fs/promises module os path sqlite timers/promises url util vm zlib"),
  );
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
  options: readonly string[] = [],
) {
  return spawnSync(process.execPath, [...options, bin, ...args], { env, encoding: "utf8", timeout: 30_000 });
}

it("what was compiled is kept in a folder of the user's own, grows with what commands call, and is checked before it is used", () => {
  const { folder } = place();
  const env = { HOME: folder };
  const top = join(folder, ".cache", "cogency", "compiled");
  const kept = () => readdirSync(join(top, `${process.version}-${process.arch}`));
  expect(startedWith(env).status).toBe(0);
  expect(startedWith(env).status).toBe(0);
  const [name = "", ...others] = kept();
  expect([name, others]).toEqual([expect.stringMatching(/^main-[\dA-F]{8}\.cjs\.2$/), []]);
  const file = join(top, `${process.version}-${process.arch}`, name);
  for (const path of [join(folder, ".cache"), top, join(file, "..")]) expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const bytes = readFileSync(file);
  for (const damaged of [bytes.subarray(0, 5000), Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9, 1)])]) {
    writeFileSync(file, damaged);
    expect(startedWith(env)).toMatchObject({ status: 0, stderr: "" });
    expect(kept()).toEqual([name.replace(/\d$/, "1")]);
    renameSync(file.replace(/\d$/, "1"), file);
  }
  // What another version of the app has left.
  writeFileSync(join(file, "..", "main-00000000.cjs.1"), "");
  writeFileSync(file, "");
  startedWith(env);
  expect(kept()).toEqual([name.replace(/\d$/, "1")]);
});

it("starts where nothing can be kept, or where others could write", () => {
  const { folder } = place();
  const open = join(folder, ".cache", "cogency", "compiled", `${process.version}-${process.arch}`);
  mkdirSync(open, { recursive: true });
  chmodSync(open, 0o777);
  writeFileSync(join(folder, "file"), "");
  for (const env of [
    { XDG_CACHE_HOME: "/proc/1/nothing" },
    { XDG_CACHE_HOME: join(folder, "file") },
    { HOME: folder },
    { HOME: folder, XDG_CACHE_HOME: "relative" },
    { HOME: join(folder, "other"), NODE_DISABLE_COMPILE_CACHE: "1" },
  ])
    expect(startedWith(env)).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Usage:") });
  expect([readdirSync(open), existsSync(join(folder, "other"))]).toEqual([[], false]);
});

it("an older Node is told which one is needed", () => {
  const { folder } = place();
  const older = join(folder, "older.cjs");
  const started = (version: string) => {
    const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
    writeFileSync(older, `Object.defineProperty(process, "versions", ${versions});`);
    const { status, stdout, stderr } = startedWith({ HOME: folder }, ["--version"], ["-r", older]);
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
