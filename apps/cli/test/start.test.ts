import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
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
    files: names.filter((name) => name.endsWith(".cjs") && !name.startsWith("/")).map(withoutHash),
  };
}

function withoutHash(name: string): string {
  return name.replace(/^.*\//, "").replace(/(-[A-Z\d]{8})?\.cjs$/, "");
}

it("--version loads what every start needs and nothing more, and -v does the same", () => {
  for (const option of ["--version", "-v"]) {
    const { files } = loadedBy([option]);
    expect(files.filter((name) => name !== "chunk")).toEqual(["start"]);
    expect(files.length).toBeLessThanOrEqual(4);
  }
});

it("--help loads no body of a command, and a run with the offline model no other model and no page reader", () => {
  const help = loadedBy(["--help"]);
  expect(help.files.filter((name) => name !== "chunk")).toEqual(["start", "main"]);
  expect(help.builtins).not.toEqual(expect.arrayContaining(["node:crypto"]));
  const run = loadedBy(["--provider", "offline", "read notes.txt"]);
  expect(run.files).toContain("run-command");
  for (const name of ["chat-command", "list", "readable-process", "bridge-process"])
    expect(run.files).not.toContain(name);
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
