import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWithin } from "../run-within.ts";
import { removeReports, reportOf } from "./report.ts";

/** A workspace whose tests really run, with the preset and the configuration of this one. */
const files: Record<string, string> = {
  "packages/sound/src/add.test.ts": `
    it("adds", () => expect(1 + 1).toBe(2));
    it.each([1, 2])("counts %i", (n) => expect(n).toBeGreaterThan(0));`,
  "packages/sound/src/add.test-d.ts": "",
  "packages/sound/src/long.verify.test.ts": `
    it("takes long", () => expect(1).toBe(1));`,

  "packages/broken/src/assertion.test.ts": `
    it("passes", () => expect(1).toBe(1));
    it("fails", () => expect(1).toBe(2));
    it.skip("is skipped", () => expect(1).toBe(1));
    it.todo("is to do");`,
  "packages/broken/src/load.test.ts": `
    throw new Error("cannot load");`,
  "packages/broken/src/nothing.test.ts": "",
  "packages/broken/src/hook.test.ts": `
    describe("hook", () => {
      beforeAll(() => { throw new Error("no server"); });
      it("needs the server", () => expect(1).toBe(1));
    });`,

  "packages/stray/src/found.test.ts": `
    it("runs", () => expect(1).toBe(1));`,
  ...Object.fromEntries(
    [
      "src/a.spec.ts",
      "src/b.test.mts",
      "src/c.test.tsx",
      "src/d_test.js",
      "bench/.hidden/e.test.ts",
      "bench/f.test.ts",
      "lib/dist/g.test.ts",
    ].map((path) => [`packages/stray/${path}`, 'it("is never run", () => expect(1).toBe(1));']),
  ),
};

describe("report", () => {
  const root = mkdtempSync(join(tmpdir(), "report-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const report = join(root, "node_modules/.report/vitest.json");
  let exitCode = 0;

  beforeAll(async () => {
    for (const [path, text] of Object.entries(files)) {
      write(path, `import { beforeAll, describe, expect, it } from "vitest";\n${text}\n`);
    }
    for (const name of ["sound", "broken", "stray", "testless"]) {
      write(`packages/${name}/package.json`, JSON.stringify({ name, type: "module", scripts: { test: "vitest run" } }));
      write(`packages/${name}/vitest.config.ts`, 'export { default } from "@tooling/vitest";\n');
    }
    symlinkSync(
      fileURLToPath(new URL("../../node_modules", import.meta.url)),
      join(root, "packages/node_modules"),
      "junction",
    );
    write("tooling/preset/package.json", JSON.stringify({ name: "preset" }));
    write("tooling/forgotten/package.json", JSON.stringify({ name: "forgotten" }));
    write("tooling/forgotten/src/a.test.ts", "");
    exitCode = await vitest();
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  async function vitest(): Promise<number> {
    const bin = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
    const config = fileURLToPath(new URL("../../../vitest/workspace.config.ts", import.meta.url));
    const args = [
      bin,
      "run",
      "--root",
      root,
      "--config",
      config,
      "--silent",
      "--reporter=json",
      `--outputFile=${report}`,
    ];
    const { exitCode: code } = await runWithin({ file: process.execPath, args, cwd: root, env: process.env }, 100_000);
    return code;
  }

  /** The lines of one package, and the two sums. */
  function lines(path: string, isVerify = false): string[] {
    const all = reportOf(root, 1, isVerify).text.split("\n");
    const start = all.findIndex((line) => line.startsWith(`${path} `));
    const own = all.slice(start + 1).findIndex((line) => !line.startsWith("  "));
    return all.slice(start, start + 1 + own).map((line) => line.replace(/ +/g, " ").trim());
  }

  it("counts tests that passed, and leaves the type tests to the compiler", () => {
    expect(lines("packages/sound")).toEqual(["packages/sound 3 passed, 0 failed"]);
  });

  it("counts the long tests alone in their run, and expects none of a package", () => {
    expect(lines("packages/testless", true)).toEqual(["packages/testless 0 passed, 1 failed", "has no test"]);
    expect(lines("packages/sound", true)).toContain("src/long.verify.test.ts was not run");
  });

  it("counts failed, skipped and unwritten tests, and files that failed to load, hold no test or failed in a hook", () => {
    expect(exitCode).toBe(1);
    const [counts, ...problems] = lines("packages/broken");
    expect(counts).toBe("packages/broken 1 passed, 7 failed (3 skipped or to do)");
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^src\/assertion\.test\.ts > fails: AssertionError: expected 1 to be 2/),
        "src/hook.test.ts failed outside of its tests",
        "src/load.test.ts ran no test: cannot load",
        expect.stringContaining("src/nothing.test.ts ran no test: No test suite found"),
      ]),
    );
  });

  it("does not count tests that were skipped for lack of a server, says so, and counts everything else", () => {
    const excuse = "PostgreSQL was not found: 2 tests of broken were skipped.";
    write("packages/broken/node_modules/.report/skipped.txt", `${excuse}\n`);
    expect(lines("packages/broken")[0]).toBe("packages/broken 1 passed, 4 failed (3 skipped or to do)");
    expect(lines("packages/broken")).toContain(excuse);
    rmSync(join(root, "packages/broken/node_modules/.report/skipped.txt"));
  });

  it("counts a package without a test as failed", () => {
    expect(lines("packages/testless")).toEqual(["packages/testless 0 passed, 1 failed", "has no test"]);
    expect(lines("tooling/preset")).toEqual([]);
  });

  it("counts test files that no run loads as failed, whatever they are named", () => {
    expect(lines("packages/stray")).toEqual([
      "packages/stray 1 passed, 7 failed",
      "bench/.hidden/e.test.ts was not run",
      "bench/f.test.ts was not run",
      "lib/dist/g.test.ts was not run",
      "src/a.spec.ts was not run",
      "src/b.test.mts was not run",
      "src/c.test.tsx was not run",
      "src/d_test.js was not run",
    ]);
    expect(lines("tooling/forgotten")).toEqual(["tooling/forgotten 0 passed, 1 failed", "src/a.test.ts was not run"]);
  });

  it("counts tests that stand in no package as failed", () => {
    write("packages/unnamed/src/a.test.ts", "");
    write("scripts/b.spec.ts", "");
    const { text } = reportOf(root, 1, false);
    expect(text).toContain(
      "\npackages/unnamed/src/a.test.ts stands in no package\nscripts/b.spec.ts stands in no package\n",
    );
    rmSync(join(root, "packages/unnamed"), { recursive: true });
    rmSync(join(root, "scripts"), { recursive: true });
  });

  it("cuts a very long reason", () => {
    const before = readFileSync(report, "utf8");
    writeFileSync(report, before.replace("expected 1 to be 2", "x".repeat(100_000)));
    const lengths = lines("packages/broken").map(({ length }) => length);
    writeFileSync(report, before);
    expect(Math.max(...lengths)).toBeGreaterThan(1_400);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  });

  it("closes with the sums, alone on the last line", () => {
    const { text, failed } = reportOf(root, 1, false);
    expect(failed).toBe(16);
    expect(text.split("\n").at(-1)).toBe("5 passed, 16 failed");
  });

  it("counts a bad exit code that no test explains, and a run in which nothing ran, as one failure", () => {
    const alone = mkdtempSync(join(tmpdir(), "report-alone-"));
    mkdirSync(join(alone, "node_modules/.report"), { recursive: true });
    writeFileSync(join(alone, "node_modules/.report/vitest.json"), '{ "testResults": [] }');
    expect(reportOf(alone, 1, false)).toMatchObject({
      failed: 1,
      text: expect.stringContaining("outside of the tests"),
    });
    expect(reportOf(alone, 0, false)).toMatchObject({ failed: 1, text: expect.stringContaining("No test ran.") });
    rmSync(alone, { recursive: true });
  });

  it("counts a run without a report as failed, and never one of an earlier run", () => {
    removeReports(root);
    expect(reportOf(root, 0, false)).toEqual({
      failed: 1,
      text: "There is no report: the build failed, or the run ended early.\n\n0 passed, 1 failed",
    });
  });
});
