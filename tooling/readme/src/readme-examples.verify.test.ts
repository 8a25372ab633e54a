import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

const first = "README begins with an example that runs and shows what it prints";

/** The part of vitest's JSON report that is read here. */
interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

describe("readmeExamples", () => {
  const folder = mkdtempSync(join(tmpdir(), "readme-examples-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let report: Report;
  beforeAll(() => {
    const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
    const outputFile = join(folder, "report.json");
    const options = [
      "--root",
      fixtures,
      "--no-isolate",
      "--maxWorkers",
      "1",
      "--reporter",
      "json",
      "--outputFile",
      outputFile,
    ];
    const { status, stderr } = spawnSync(process.execPath, [vitest, "run", "--testTimeout=120000", ...options], {
      encoding: "utf8",
    });
    expect(status, stderr).toBe(1);
    report = JSON.parse(readFileSync(outputFile, "utf8"));
  });

  function resultsOf(fixture: string): { test: string; status: string; message: string }[] {
    const file = report.testResults.find(({ name }) => name.includes(`/${fixture}/`));
    const results = file?.assertionResults ?? [];
    return results.map(({ fullName, status, failureMessages }) => ({
      test: fullName,
      status,
      message: failureMessages.join(),
    }));
  }

  it("passes examples that compile, run and print what the README shows", () => {
    expect(resultsOf("good").map(({ test, status }) => [test, status])).toEqual([
      [first, "passed"],
      ["README example at line 3 compiles", "passed"],
      ["README example at line 17 compiles", "passed"],
      ["README example at line 3 runs and prints what the README shows", "passed"],
    ]);
  });

  it.each([
    ["uncompilable", "README example at line 12 compiles", "README.md:16:14 TS2375"],
    ["wrong-output", "README example at line 3 runs and prints what the README shows", "expected 'one' to be 'two'"],
    ["failing", "README example at line 3 runs and prints what the README shows", "the example gave up"],
    ["empty", first, "There is no ```ts block"],
    ["sentence-between", first, "line 3, is not followed directly by a ```text block"],
    ["not-run", first, "line 3, is not run"],
    ["untyped", first, 'line 3, is tagged "js"'],
  ])("fails the %s fixture at exactly the wrong example", (fixture, test, message) => {
    const failed = resultsOf(fixture).filter(({ status }) => status === "failed");
    expect(failed).toEqual([{ test, status: "failed", message: expect.stringContaining(message) }]);
  });

  it("leaves no files behind", () => {
    expect(existsSync(join(fixtures, "good/.readme"))).toBe(false);
  });
});
