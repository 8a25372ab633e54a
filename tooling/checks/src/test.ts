import { turbo } from "@tooling/turbo";
import { removeReports, reportOf, testedPackages } from "./report.ts";
import { workspaceRoot } from "./workspace.ts";

// `pnpm test`: builds, runs every package's tests, goes on after a failure and closes with what was counted.
removeReports(workspaceRoot);
const exitCode = turbo(["run", "test", "--continue", "--output-logs=new-only"]);
const { text, failed } = reportOf(testedPackages(workspaceRoot), exitCode);
console.log(`\n${text}`);
process.exitCode = failed > 0 ? 1 : 0;
