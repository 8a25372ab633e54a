import { join } from "node:path";
import { findPostgres, startPostgres } from "@tooling/postgres";
import { findRedis, startRedis } from "@tooling/redis";
import { turbo } from "@tooling/turbo";
import { runWithin } from "../run-within.ts";
import { workspaceRoot } from "../workspace.ts";
import { removeReports, reportOf } from "./report.ts";

// `pnpm test` and `pnpm verify`: builds, runs the tests of every package on one PostgreSQL and one Redis, continues after a
// failure and ends with the totals. Arguments go to vitest.
const [mode = "test", ...args] = process.argv.slice(2);
/** Milliseconds: several times as long as a run takes on a machine with nothing else to do. */
const limit = (mode === "verify" ? 55 : 25) * 60_000;
removeReports(workspaceRoot);
process.env.COGENCY_TESTS = mode;

const script = (file: string, ...rest: string[]) => ({
  file: process.execPath,
  args: [join(workspaceRoot, file), ...rest],
  cwd: workspaceRoot,
  env: process.env,
});
// What is verified is what is published, with its declarations.
const build =
  mode === "verify" ? turbo(["run", "build", "--output-logs=new-only"]) : script("tooling/tsup/build-javascript.ts");
const [built, ...servers] = await Promise.all([
  runWithin(build, limit),
  server("COGENCY_TEST_POSTGRES", findPostgres, startPostgres),
  server("COGENCY_TEST_REDIS", findRedis, startRedis),
]);
const vitest = script(
  "tooling/vitest/node_modules/vitest/vitest.mjs",
  "run",
  "--config",
  "tooling/vitest/workspace.config.ts",
  ...args,
);
const ran = built.exitCode === 0 ? await runWithin(vitest, limit) : built;
await Promise.all(servers.map((one) => one?.stop()));

if (ran.isOverdue) console.log(`\nThe tests went on for more than ${limit / 60_000} minutes and were ended.`);
const { text, failed } = reportOf(workspaceRoot, ran.exitCode, mode === "verify");
console.log(`\n${text}`);
process.exitCode = failed > 0 ? 1 : 0;

/** A server for the whole run, unless the variable names one or none is installed. */
async function server<T extends { url: string }>(
  variable: string,
  find: () => unknown,
  start: () => Promise<T>,
): Promise<T | undefined> {
  if (process.env[variable] !== undefined || find() === undefined) return undefined;
  const started = await start();
  process.env[variable] = started.url;
  return started;
}
