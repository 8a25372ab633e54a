import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWithin } from "../run-within.ts";
import { removeReports, reportOf, strayTestsIn, tallyOf, testedPackages } from "./report.ts";

/** A workspace whose tests really run, with the preset that the packages use. */
const files: Record<string, string> = {
  "packages/sound/src/add.test.ts": `
    it("adds", () => expect(1 + 1).toBe(2));
    it.each([1, 2])("counts %i", (n) => expect(n).toBeGreaterThan(0));`,
  "packages/sound/src/add.test-d.ts": `
    it("is typed", () => expectTypeOf<1>().toEqualTypeOf<1>());`,

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
  "packages/broken/src/type.test-d.ts": `
    it("is typed wrongly", () => expectTypeOf<1>().toEqualTypeOf<2>());`,

  "packages/restless/src/late.test.ts": `
    it("passes before the error", async () => {
      setTimeout(() => { throw new Error("late"); }, 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(1).toBe(1);
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
      "h.test-d.ts",
    ].map((path) => [`packages/stray/${path}`, 'it("is never run", () => expect(1).toBe(1));']),
  ),

  "packages/hanging/src/busy.test.ts": `
    it("is busy for ever", () => { for (;;); });`,
  "packages/hanging/src/waiting.test.ts": `
    await new Promise(() => {});
    it("waits for ever", () => expect(1).toBe(1));`,

  "packages/silent/src/never.test.ts": `
    it("never runs", () => expect(1).toBe(1));`,
};

describe("report", () => {
  const root = mkdtempSync(join(tmpdir(), "report-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const exitCodes = new Map<string, number | null>();

  beforeAll(async () => {
    symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(root, "node_modules"), "junction");
    for (const [path, text] of Object.entries(files)) {
      write(path, `import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";\n${text}\n`);
    }
    for (const name of ["sound", "broken", "restless", "silent", "stray", "hanging", "testless"]) {
      write(`packages/${name}/package.json`, JSON.stringify({ name, type: "module", scripts: { test: "vitest run" } }));
      write(
        `packages/${name}/tsconfig.json`,
        JSON.stringify({
          extends: fileURLToPath(new URL("../../../tsconfig/package.tsconfig.json", import.meta.url)),
          compilerOptions: { noUnusedLocals: false },
        }),
      );
      write(`packages/${name}/vitest.config.ts`, 'export { default } from "@tooling/vitest";\n');
    }
    write("packages/untested/package.json", JSON.stringify({ name: "untested", scripts: { build: "true" } }));
    write("tooling/preset/package.json", JSON.stringify({ name: "preset" }));
    write("tooling/forgotten/package.json", JSON.stringify({ name: "forgotten" }));
    write("tooling/forgotten/src/a.test.ts", "");
    await Promise.all(
      ["sound", "broken", "restless", "stray", "testless"].map(async (name) => exitCodes.set(name, await vitest(name))),
    );
  }, 120_000);

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  const command = (name: string) => {
    const bin = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
    return { file: process.execPath, args: [bin, "run"], cwd: join(root, "packages", name), env: process.env };
  };

  function vitest(name: string): Promise<number | null> {
    const { file, args, cwd } = command(name);
    const child = spawn(file, args, { cwd, stdio: "ignore" });
    return new Promise((resolve) => child.once("close", resolve));
  }

  const only = (...names: string[]) => testedPackages(root).filter(({ manifest }) => names.includes(manifest.name));
  const tally = (name: string) => {
    const [owner] = only(name);
    if (!owner) throw new Error(`No package ${name}`);
    return tallyOf(owner);
  };

  it("expects tests of every package, of tooling only where it has some", () => {
    expect(testedPackages(root).map(({ path }) => path)).toEqual([
      "packages/broken",
      "packages/hanging",
      "packages/restless",
      "packages/silent",
      "packages/sound",
      "packages/stray",
      "packages/testless",
      "packages/untested",
      "tooling/forgotten",
    ]);
  });

  it("counts tests and type tests that passed", () => {
    expect(exitCodes.get("sound")).toBe(0);
    expect(tally("sound")).toEqual({ passed: 4, failed: 0, skipped: 0, problems: [] });
  });

  it("counts failed, skipped and unwritten tests, and files that failed to load, hold no test or failed in a hook", () => {
    expect(exitCodes.get("broken")).toBe(1);
    expect(tally("broken")).toEqual({
      passed: 1,
      failed: 8,
      skipped: 3,
      problems: expect.arrayContaining([
        expect.stringMatching(
          /^src\/assertion\.test\.ts > fails: AssertionError: expected 1 to be 2.*\n +at .*assertion/,
        ),
        expect.stringMatching(/^src\/type\.test-d\.ts > .*is typed wrongly: /),
        "src/hook.test.ts failed outside of its tests",
        "src/load.test.ts ran no test: cannot load",
        expect.stringContaining("src/nothing.test.ts ran no test: No test suite found"),
      ]),
    });
  });

  it("does not count tests that were skipped for lack of a server, says so, and counts everything else", () => {
    const excuse = "PostgreSQL was not found: 2 tests of broken were skipped.";
    write("packages/broken/node_modules/.report/skipped.txt", `${excuse}\n`);
    expect(tally("broken")).toMatchObject({ passed: 1, failed: 5, skipped: 3, excuse });
    expect(reportOf(only("broken"), 1).text).toContain(`\n  ${excuse}\n`);
    rmSync(join(root, "packages/broken/node_modules/.report/skipped.txt"));
    expect(tally("broken").failed).toBe(8);
  });

  it("counts a package without a report as failed", () => {
    expect(tally("silent")).toMatchObject({
      passed: 0,
      failed: 1,
      problems: [expect.stringContaining("left no report")],
    });
  });

  it("counts a package without a test as failed", () => {
    expect(tally("testless")).toEqual({ passed: 0, failed: 1, skipped: 0, problems: ["has no test"] });
  });

  it("counts a test file that was not run as failed", () => {
    write("packages/sound/src/new.test.ts", "");
    expect(tally("sound")).toMatchObject({ passed: 4, failed: 1, problems: ["src/new.test.ts was not run"] });
    rmSync(join(root, "packages/sound/src/new.test.ts"));
  });

  it("counts files that are named like tests and that no run loads as failed", () => {
    expect(exitCodes.get("stray")).toBe(0);
    expect(tally("stray")).toEqual({
      passed: 1,
      failed: 8,
      skipped: 0,
      problems: [
        "bench/.hidden/e.test.ts was not run",
        "bench/f.test.ts was not run",
        "h.test-d.ts was not run",
        "lib/dist/g.test.ts was not run",
        "src/a.spec.ts was not run",
        "src/b.test.mts was not run",
        "src/c.test.tsx was not run",
        "src/d_test.js was not run",
      ],
    });
  });

  it("counts tests that stand in no package as failed", () => {
    write("packages/unnamed/src/a.test.ts", "");
    write("scripts/b.spec.ts", "");
    const strays = strayTestsIn(root);
    expect(strays).toEqual(["packages/unnamed/src/a.test.ts", "scripts/b.spec.ts"]);
    expect(reportOf(only("sound"), 0, strays)).toEqual({
      text: expect.stringMatching(/\npackages\/unnamed\/src\/a\.test\.ts stands in no package\n.*4 passed, 2 failed$/s),
      failed: 2,
    });
  });

  it.each(["untested", "forgotten"])("counts a package without a test script as failed: %s", (name) => {
    expect(tally(name)).toEqual({ passed: 0, failed: 1, skipped: 0, problems: ["has no test script"] });
  });

  it("counts reports that turbo restored in a checkout that was moved", () => {
    const moved = `${root}-moved`;
    renameSync(root, moved);
    try {
      const [owner] = testedPackages(moved).filter(({ manifest }) => manifest.name === "sound");
      expect(owner && tallyOf(owner)).toEqual({ passed: 4, failed: 0, skipped: 0, problems: [] });
    } finally {
      renameSync(moved, root);
    }
  });

  it("counts tests that never end as failed once their run has been ended", async () => {
    expect(await runWithin(command("hanging"), 5_000)).toEqual({ exitCode: 1, isOverdue: true });
    expect(reportOf(only("sound", "hanging"), 1).text).toMatch(/left no report.*\n\n4 passed, 1 failed$/s);
  }, 60_000);

  it("repeats why a test failed in the closing table, also where the output above was cut off", () => {
    const { text } = reportOf(only("broken"), 1);
    expect(text).toMatch(/\n {2}src\/assertion\.test\.ts > fails: AssertionError: expected 1 to be 2.*\n {4} +at /);
  });

  it("cuts a very long reason", () => {
    const [owner] = only("broken");
    const report = join(root, "packages/broken/node_modules/.report/vitest.json");
    const before = readFileSync(report, "utf8");
    writeFileSync(report, before.replace("expected 1 to be 2", "x".repeat(100_000)));
    const lengths = owner ? tallyOf(owner).problems.map(({ length }) => length) : [];
    writeFileSync(report, before);
    expect(Math.max(...lengths)).toBeGreaterThan(1_500);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  });

  it("closes with the sums, alone on the last line", () => {
    const { text, failed } = reportOf(only("sound", "broken", "silent"), 1);
    expect(failed).toBe(9);
    expect(text.split("\n").at(-1)).toBe("5 passed, 9 failed");
    expect(text).toContain("packages/broken  1 passed, 8 failed (3 skipped or to do)\n");
  });

  it("counts an error outside of every test, which only the exit code shows, as one failure", () => {
    expect(exitCodes.get("restless")).toBe(1);
    expect(reportOf(only("restless"), 0).text).toMatch(/1 passed, 0 failed$/);
    expect(reportOf(only("restless"), 1)).toMatchObject({
      failed: 1,
      text: expect.stringMatching(/1 passed, 1 failed$/),
    });
  });

  it("fails when nothing ran", () => {
    expect(reportOf([], 0)).toMatchObject({ failed: 1, text: expect.stringContaining("No test ran.") });
  });

  it("does not count reports of an earlier run", () => {
    removeReports(root);
    expect(reportOf(only("sound"), 0).text).toMatch(/0 passed, 1 failed$/);
  });
});
