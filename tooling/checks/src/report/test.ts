import { turbo } from "@tooling/turbo";
import { runWithin } from "../run-within.ts";
import { workspaceRoot } from "../workspace.ts";
import { removeReports, reportOf, strayTestsIn, testedPackages } from "./report.ts";

/** Milliseconds: several times as long as a run without cache takes on a slow, busy machine. */
const limit = 26 * 60_000;

// `pnpm test`: builds, runs the tests of every package, continues after a failure and ends with the totals.
removeReports(workspaceRoot);
const { exitCode, isOverdue } = await runWithin(turbo(["run", "test", "--continue", "--output-logs=new-only"]), limit);
if (isOverdue) console.log(`\nThe tests went on for more than ${limit / 60_000} minutes and were ended.`);
const { text, failed } = reportOf(testedPackages(workspaceRoot), exitCode, strayTestsIn(workspaceRoot));
console.log(`\n${text}`);
process.exitCode = failed > 0 ? 1 : 0;
