import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packagesIn, type WorkspacePackage } from "./workspace.ts";

/** How the tests of one package, or of all, ended. */
export interface Tally {
  passed: number;
  failed: number;
  /** Tests that did not run and said so. */
  skipped: number;
  /** What counts as failed without being a test that failed, one line each. */
  problems: string[];
}

/** The part of vitest's JSON report that is counted. */
interface VitestReport {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[];
}

/** Where every package's tests leave their report; tooling/vitest/preset.ts writes it. */
const reportFile = "node_modules/.report/vitest.json";

/** The packages of a workspace that have tests. */
export function testedPackages(root: string): WorkspacePackage[] {
  return packagesIn(root, "packages", "apps", "tooling").filter(({ manifest }) => manifest.scripts?.test);
}

/** Forgets earlier runs, so that only reports of this run, or restored by turbo for it, are counted. */
export function removeReports(root: string): void {
  for (const { folder } of testedPackages(root)) rmSync(join(folder, reportFile), { force: true });
}

/**
 * Counts what a package's report holds, test by test. A file that did not load, or failed outside of its tests, counts
 * as one failure; so does a test file that the report does not know, and a report that is missing or empty.
 */
export function tallyOf({ folder }: WorkspacePackage): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, problems: [] };
  const fail = (problem: string) => {
    tally.failed++;
    tally.problems.push(problem);
  };
  const file = join(folder, reportFile);
  if (!existsSync(file)) {
    fail("left no report: its build failed, or its test run ended early");
    return tally;
  }
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;

  for (const { name, status, message, assertionResults } of report.testResults) {
    const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length;
    tally.passed += count("passed");
    tally.failed += count("failed");
    tally.skipped += assertionResults.length - count("passed") - count("failed");
    const path = relative(folder, name);
    if (assertionResults.length === 0) fail(`${path} ran no test${message && `: ${message.split("\n")[0]}`}`);
    else if (status !== "passed" && count("failed") === 0) fail(`${path} failed outside of its tests`);
  }
  if (report.testResults.length === 0) fail("has no test");
  const known = new Set(report.testResults.map(({ name }) => relative(folder, name)));
  for (const path of globSync("{src,test}/**/*.{test,test-d}.ts", { cwd: folder }).sort()) {
    if (!known.has(path)) fail(`${path} was not run`);
  }
  return tally;
}

/**
 * The closing table of a test run: one line a package, then alone on its line `N passed, N failed`.
 *
 * @param exitCode of the run; if it is not 0 although nothing is counted as failed, that is one failure more
 */
export function reportOf(packages: readonly WorkspacePackage[], exitCode: number): { text: string; failed: number } {
  const tallies = packages.map((owner) => ({ path: owner.path, ...tallyOf(owner) }));
  const width = Math.max(0, ...tallies.map(({ path }) => path.length));
  const lines = tallies.flatMap(({ path, passed, failed, skipped, problems }) => {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    return [`${path.padEnd(width)}  ${counts}`, ...problems.map((problem) => `  ${problem}`)];
  });
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  let failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  if (failed === 0 && exitCode !== 0) {
    failed = 1;
    lines.push("The run failed outside of the tests; the reason stands above.");
  } else if (failed === 0 && passed === 0) {
    failed = 1;
    lines.push("No test ran.");
  }
  return { text: [...lines, "", `${passed} passed, ${failed} failed`].join("\n"), failed };
}
