import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeReports, reportOf, tallyOf, testedPackages } from "./report.ts";

/** A workspace whose tests really run, with the preset of the real packages. */
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

  "packages/silent/src/never.test.ts": `
    it("never runs", () => expect(1).toBe(1));`,
};

describe("report", () => {
  const root = mkdtempSync(join(tmpdir(), "report-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const exitCodes = new Map<string, number | null>();

  beforeAll(async () => {
    symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(root, "node_modules"), "junction");
    for (const [path, text] of Object.entries(files)) {
      write(path, `import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";\n${text}\n`);
    }
    for (const name of ["sound", "broken", "restless", "silent", "testless"]) {
      write(`packages/${name}/package.json`, JSON.stringify({ name, type: "module", scripts: { test: "vitest run" } }));
      write(
        `packages/${name}/tsconfig.json`,
        JSON.stringify({
          extends: fileURLToPath(new URL("../../tsconfig/package.tsconfig.json", import.meta.url)),
          compilerOptions: { noUnusedLocals: false },
        }),
      );
      write(`packages/${name}/vitest.config.ts`, 'export { default } from "@tooling/vitest";\n');
    }
    write("packages/untested/package.json", JSON.stringify({ name: "untested", scripts: { build: "true" } }));
    await Promise.all(
      ["sound", "broken", "restless", "testless"].map(async (name) => exitCodes.set(name, await vitest(name))),
    );
  }, 120_000);

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  function vitest(name: string): Promise<number | null> {
    const bin = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
    const cwd = join(root, "packages", name);
    const child = spawn(process.execPath, [bin, "run"], { cwd, stdio: "ignore" });
    return new Promise((resolve) => child.once("close", resolve));
  }

  const only = (...names: string[]) => testedPackages(root).filter(({ manifest }) => names.includes(manifest.name));
  const tally = (name: string) => {
    const [owner] = only(name);
    if (!owner) throw new Error(`No package ${name}`);
    return tallyOf(owner);
  };

  it("expects a report of every package with a test script", () => {
    expect(testedPackages(root).map(({ path }) => path)).toEqual([
      "packages/broken",
      "packages/restless",
      "packages/silent",
      "packages/sound",
      "packages/testless",
    ]);
  });

  it("counts tests and type tests that passed", () => {
    expect(exitCodes.get("sound")).toBe(0);
    expect(tally("sound")).toEqual({ passed: 4, failed: 0, skipped: 0, problems: [] });
  });

  it("counts failed tests, and files that failed to load, hold no test or failed in a hook", () => {
    expect(exitCodes.get("broken")).toBe(1);
    expect(tally("broken")).toEqual({
      passed: 1,
      failed: 5,
      skipped: 3,
      problems: expect.arrayContaining([
        "src/hook.test.ts failed outside of its tests",
        "src/load.test.ts ran no test: cannot load",
        expect.stringContaining("src/nothing.test.ts ran no test: No test suite found"),
      ]),
    });
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

  it("closes with the sums, alone on the last line", () => {
    const { text, failed } = reportOf(only("sound", "broken", "silent"), 1);
    expect(failed).toBe(6);
    expect(text.split("\n").at(-1)).toBe("5 passed, 6 failed");
    expect(text).toContain("packages/broken  1 passed, 5 failed, 3 skipped\n");
  });

  it("counts an error outside of every test, which only the exit code tells, as one failure", () => {
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
