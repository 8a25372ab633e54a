import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packagesIn, type WorkspacePackage } from "../workspace.ts";
import { filesUnder } from "./files.ts";

/** How the tests of one package, or of all, ended. */
export interface Tally {
  passed: number;
  /** Counts what was skipped, too. */
  failed: number;
  /** Tests that are marked as skipped or to do. */
  skipped: number;
  /** Why what was skipped does not count as failed: it needs what this machine does not have. */
  excuse?: string;
  /** What failed, one each: its file, the test's name, if it is one, and why. A test's reason has several lines. */
  problems: string[];
}

/** The part of vitest's JSON report that is counted. */
interface VitestReport {
  testResults: { name: string; status: string; message: string; assertionResults: VitestAssertion[] }[];
}

interface VitestAssertion {
  status: string;
  fullName: string;
  failureMessages: string[] | null;
}

/** Where every package's tests leave their report; tooling/vitest/preset.ts writes it. */
const reportFile = "node_modules/.report/vitest.json";

/** One line, left by a run that had to skip tests: what was missing on this machine. */
const excuseFile = "node_modules/.report/skipped.txt";

/** Characters of the reason of one failed test in the closing table. */
const maxReason = 1_500;

/** Names of files that hold tests, for vitest or any other runner. */
const testName = /[._-](test|spec)(-d)?\.[cm]?[jt]sx?$/;

/** Projects that a test runs with vitest, to see some of their tests fail. */
const fixtures: Readonly<Record<string, readonly string[]>> = { "tooling/readme": ["fixtures"] };

/** The packages of a workspace that must have tests: all but tooling that has none. */
export function testedPackages(root: string): WorkspacePackage[] {
  return packagesIn(root, "packages", "apps", "tooling").filter(
    (owner) => !owner.path.startsWith("tooling/") || owner.manifest.scripts?.test || testFilesOf(owner).length > 0,
  );
}

/** Test files outside of every package, which no run knows. */
export function strayTestsIn(root: string): string[] {
  const paths = packagesIn(root, "packages", "apps", "tooling").map(({ path }) => path);
  return filesUnder(root, paths).filter((file) => testName.test(file));
}

/** Forgets earlier runs, so that only reports of this run, or restored by turbo for it, are counted. */
export function removeReports(root: string): void {
  for (const { folder } of testedPackages(root)) {
    for (const file of [reportFile, excuseFile]) rmSync(join(folder, file), { force: true });
  }
}

/**
 * Counts what a package's report holds, test by test. A file that did not load, or failed outside of its tests, counts
 * as one failure; so does a test file that the report does not know, and a report that is missing or empty. A skipped
 * test counts as failed, unless the run left a line that says what this machine lacks.
 */
export function tallyOf(owner: WorkspacePackage): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, problems: [] };
  const fail = (problem: string) => {
    tally.failed++;
    tally.problems.push(problem);
  };
  if (!owner.manifest.scripts?.test) {
    fail("has no test script");
    return tally;
  }
  const file = join(owner.folder, reportFile);
  if (!existsSync(file)) {
    fail("left no report: its build failed, or its test run ended early");
    return tally;
  }
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  const excuse = excuseOf(owner);
  if (excuse !== undefined) tally.excuse = excuse;

  const known = new Set<string>();
  for (const { name, status, message, assertionResults } of report.testResults) {
    const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length;
    tally.passed += count("passed");
    const skipped = assertionResults.length - count("passed") - count("failed");
    tally.failed += count("failed") + (excuse === undefined ? skipped : 0);
    tally.skipped += skipped;
    const path = pathInside(owner, name);
    known.add(path);
    for (const test of assertionResults) {
      if (test.status === "failed") tally.problems.push(`${path} > ${test.fullName}: ${reasonOf(test)}`);
    }
    if (assertionResults.length === 0) fail(`${path} ran no test${message && `: ${message.split("\n")[0]}`}`);
    else if (status !== "passed" && count("failed") === 0) fail(`${path} failed outside of its tests`);
  }
  if (report.testResults.length === 0) fail("has no test");
  for (const path of testFilesOf(owner)) if (!known.has(path)) fail(`${path} was not run`);
  return tally;
}

/** The reason with the tests' own part of its stack: enough to begin with where the output above was cut off. */
function reasonOf({ failureMessages }: VitestAssertion): string {
  const lines = (failureMessages ?? []).join("\n").trim().split("\n");
  const reason = lines.filter((line) => !/^ +at .*(node_modules|node:)/.test(line)).join("\n") || "no reason given";
  return reason.length > maxReason ? `${reason.slice(0, maxReason)}…` : reason;
}

function excuseOf({ folder }: WorkspacePackage): string | undefined {
  const file = join(folder, excuseFile);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function testFilesOf({ folder, path }: WorkspacePackage): string[] {
  return filesUnder(folder, ["dist", ...(fixtures[path] ?? [])]).filter((file) => testName.test(file));
}

/** Of a report from turbo's cache the absolute paths are those of the checkout that wrote it. */
function pathInside({ path }: WorkspacePackage, file: string): string {
  const inside = `/${path}/`;
  return file.slice(file.lastIndexOf(inside) + inside.length);
}

/**
 * The closing table of a test run: one line a package, then alone on its line `N passed, N failed`.
 *
 * @param exitCode of the run; if it is not 0 although nothing is counted as failed, that is one failure more
 * @param strays test files that stand in no package, one failure each
 */
export function reportOf(
  packages: readonly WorkspacePackage[],
  exitCode: number,
  strays: readonly string[] = [],
): { text: string; failed: number } {
  const tallies = packages.map((owner) => ({ path: owner.path, ...tallyOf(owner) }));
  const width = Math.max(0, ...tallies.map(({ path }) => path.length));
  const lines = tallies.flatMap(({ path, passed, failed, skipped, excuse, problems }) => {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? ` (${skipped} skipped or to do)` : ""}`;
    const notes = excuse === undefined ? problems : [...problems, excuse];
    return [`${path.padEnd(width)}  ${counts}`, ...notes.map((note) => `  ${note.replaceAll("\n", "\n    ")}`)];
  });
  lines.push(...strays.map((path) => `${path} stands in no package`));
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  let failed = tallies.reduce((sum, tally) => sum + tally.failed, strays.length);
  if (failed === 0 && exitCode !== 0) {
    failed = 1;
    lines.push("The run failed outside of the tests; the reason stands above.");
  } else if (failed === 0 && passed === 0) {
    failed = 1;
    lines.push("No test ran.");
  }
  return { text: [...lines, "", `${passed} passed, ${failed} failed`].join("\n"), failed };
}
