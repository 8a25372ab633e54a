import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parserVectors } from "@cogency/protocol/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { checkRuntime } from "./check-runtime.ts";
import { runProgram } from "./run-program.ts";

const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = fileURLToPath(new URL("../program", import.meta.url));
const dist = dirname(fileURLToPath(import.meta.resolve("@cogency/protocol")));

describe("the program, in a process", () => {
  it("passes the vectors with the package as it is built", async () => {
    expect(await check({})).toMatchObject({ note: `${parserVectors.canonical.length} vectors passed`, problems: [] });
  });

  it("names the vectors that a damaged package fails", async () => {
    const { problems } = await check({ "dist/index.js": damaged("settle", "() => []") });
    expect(problems[0]).toMatch(/^[a-z-]+: ConformanceError: .*expected .*actual {3}\[\]/s);
    expect(problems.at(-1)).toMatch(/^\d+ more vectors failed$/);
  });

  it("fails with a package that cannot be loaded, and says why", async () => {
    const { problems } = await check({ "dist/index.js": 'import "./gone.js";' });
    expect(problems.join()).toMatch(/^The program ended with exit code 1\..*gone\.js/s);
  });

  it("fails with a parser that throws", async () => {
    const { problems } = await check({ "dist/index.js": damaged("createParser", '() => { throw new Error("no") }') });
    expect(problems[0]).toMatch(/^[a-z-]+: Error: no$/);
  });

  it("fails with a testkit without vectors", async () => {
    const { problems } = await check({ "dist/testkit.js": damaged("parserVectors", "{}", "testkit") });
    expect(problems).toEqual([`ran 0 of ${parserVectors.canonical.length} vectors`]);
  });

  it("is killed when it does not end, and says so", async () => {
    const { problems } = await check({ "dist/index.js": "while (true) {}" }, 1000);
    expect(problems).toEqual(["The program ended with SIGKILL."]);
  });
});

/** Runs the program on the first file of vectors, with the built package in which `files` replace some files. */
async function check(files: Record<string, string>, limit?: number) {
  const site = mkdtempSync(join(folder, "site-"));
  cpSync(program, join(site, "program"), { recursive: true });
  const installed = join(site, "node_modules/@cogency/protocol");
  cpSync(dist, join(installed, "original"), { recursive: true });
  cpSync(join(dist, "../package.json"), join(installed, "package.json"));
  mkdirSync(join(installed, "dist"));
  const canonical = damaged("parserVectors", "{ canonical: original.parserVectors.canonical }", "testkit");
  for (const [path, text] of Object.entries({ ...defaults, "dist/testkit.js": canonical, ...files })) {
    writeFileSync(join(installed, path), text);
  }
  const run = () => runProgram({ file: process.execPath, env: {} }, ["program/module.js"], site, limit);
  const { node } = process.versions;
  return checkRuntime(
    { name: "Node", version: node, how: "ES module", run },
    { count: parserVectors.canonical.length, of: "vectors" },
  );
}

const defaults = { "dist/index.js": 'export * from "../original/index.js";' };

/** An entry of the package with one export replaced. */
function damaged(name: string, value: string, entry = "index"): string {
  return [
    `import * as original from "../original/${entry}.js";`,
    `export * from "../original/${entry}.js";`,
    `export const ${name} = ${value};`,
  ].join("\n");
}
