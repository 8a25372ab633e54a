import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packagesIn, type WorkspacePackage } from "../workspace.ts";
import { filesUnder } from "./files.ts";

/** The test results of one package, or of all. */
interface Tally {
  passed: number;
  /** Includes skipped tests. */
  failed: number;
  /** The number of tests that are marked as skipped or to do. */
  skipped: number;
  /** Why skipped tests do not count as failed: what this machine lacks. */
  excuse?: string;
  /**
   * One entry for each failure: the file, the test's name if it is a test, and the reason, which may have several
   * lines.
   */
  problems: string[];
}

/** The fields of vitest's JSON report that are read. */
interface VitestReport {
  testResults: { name: string; status: string; message: string; assertionResults: VitestAssertion[] }[];
}

interface VitestAssertion {
  status: string;
  fullName: string;
  failureMessages: string[] | null;
}

/** The report of a run, which tooling/vitest/workspace.config.ts sets. */
const reportFile = "node_modules/.report/vitest.json";

/** The file in which a package that skipped tests writes one line: what this machine lacks. */
const excuseFile = "node_modules/.report/skipped.txt";

/** The most characters that the closing table shows of one failure's reason. */
const maxReason = 1_500;

/** Matches names of test files, for vitest or another runner. Type tests are the compiler's. */
const testName = /[._-](test|spec)\.[cm]?[jt]sx?$/;

const isLong = (file: string) => file.endsWith(".verify.test.ts");

/** Projects that a test runs with vitest, some of whose tests fail on purpose. */
const fixtures: Readonly<Record<string, readonly string[]>> = { "tooling/readme": ["fixtures"] };

/** The packages of a workspace that must have tests: all except tooling without any. */
function testedPackages(root: string): WorkspacePackage[] {
  return packagesIn(root, "packages", "apps", "tooling").filter(
    (owner) => !owner.path.startsWith("tooling/") || owner.manifest.scripts?.test || testFilesOf(owner).length > 0,
  );
}

/** Test files outside of every package, which no run would find. */
function strayTestsIn(root: string): string[] {
  const paths = packagesIn(root, "packages", "apps", "tooling").map(({ path }) => path);
  return filesUnder(root, paths).filter((file) => testName.test(file));
}

/** Deletes the reports of earlier runs, so only what this run writes is counted. */
export function removeReports(root: string): void {
  rmSync(join(root, reportFile), { force: true });
  for (const { folder } of testedPackages(root)) rmSync(join(folder, excuseFile), { force: true });
}

/**
 * Counts the tests of a package. These count as one failure each: a file that did not load or failed outside of its tests,
 * a test file that is not in the report, and a package without any. A skipped test counts as failed, unless the run wrote a
 * line that says what this machine lacks.
 */
function tallyOf(owner: WorkspacePackage, results: VitestReport["testResults"], isVerify: boolean): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, problems: [] };
  const fail = (problem: string) => {
    tally.failed++;
    tally.problems.push(problem);
  };
  const excuse = excuseOf(owner);
  if (excuse !== undefined) tally.excuse = excuse;

  const files = testFilesOf(owner);
  if (files.length === 0) fail("has no test");
  const missing = new Set(files.filter((file) => isLong(file) === isVerify));
  for (const { name, status, message, assertionResults } of results) {
    const path = relative(owner.folder, name);
    missing.delete(path);
    const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length;
    tally.passed += count("passed");
    const skipped = assertionResults.length - count("passed") - count("failed");
    tally.failed += count("failed") + (excuse === undefined ? skipped : 0);
    tally.skipped += skipped;
    for (const test of assertionResults) {
      if (test.status === "failed") tally.problems.push(`${path} > ${test.fullName}: ${reasonOf(test)}`);
    }
    if (assertionResults.length === 0) fail(`${path} ran no test${message && `: ${message.split("\n")[0]}`}`);
    else if (status !== "passed" && count("failed") === 0) fail(`${path} failed outside of its tests`);
  }
  for (const path of missing) fail(`${path} was not run`);
  return tally;
}

/** The reason with the part of its stack that is in the tests, in case the output above is cut off. */
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

/**
 * The closing table of a run: one line for each package, then `N passed, N failed` on a line of its own. A missing report,
 * a test file outside of every package, and a bad exit code that no failed test explains count as a failure each.
 *
 * @param isVerify whether the run was that of `*.verify.test.ts`, or of all others
 */
export function reportOf(root: string, exitCode: number, isVerify: boolean): { text: string; failed: number } {
  const file = join(root, reportFile);
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as VitestReport) : undefined;
  if (!report) {
    const text = "There is no report: the build failed, or the run ended early.\n\n0 passed, 1 failed";
    return { text, failed: 1 };
  }
  const tallies = testedPackages(root).map((owner) => {
    const results = report.testResults.filter(({ name }) => name.startsWith(join(owner.folder, "/")));
    return { path: owner.path, ...tallyOf(owner, results, isVerify) };
  });
  const width = Math.max(0, ...tallies.map(({ path }) => path.length));
  const lines = tallies.flatMap(({ path, passed, failed, skipped, excuse, problems }) => {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? ` (${skipped} skipped or to do)` : ""}`;
    const notes = excuse === undefined ? problems : [...problems, excuse];
    return [`${path.padEnd(width)}  ${counts}`, ...notes.map((note) => `  ${note.replaceAll("\n", "\n    ")}`)];
  });
  const strays = strayTestsIn(root);
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
