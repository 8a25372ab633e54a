import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { findPostgres } from "./find-postgres.ts";
import { howToInstall, type PostgresServer, startPostgres } from "./start-postgres.ts";
import { addressVariable, isRequired, testAddress } from "./test-address.ts";

/**
 * A global setup of vitest: one server for the run of a package, unless COGENCY_TEST_POSTGRES names one. Without any, the
 * tests that need one are skipped and one line says so; with COGENCY_REQUIRE_POSTGRES=1 the run fails instead.
 *
 * @returns what ends it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isInstalled = findPostgres() !== undefined;
  const isMissing = !isInstalled && testAddress() === undefined;
  if (isMissing && isRequired()) {
    throw new Error(`PostgreSQL was not found, and COGENCY_REQUIRE_POSTGRES is set. ${howToInstall}`);
  }
  const excuse = join(project.config.root, excuseFile);
  rmSync(excuse, { force: true });
  let server: PostgresServer | undefined;
  if (isInstalled && testAddress() === undefined) {
    server = await startPostgres();
    process.env[addressVariable] = server.url;
  }
  return async () => {
    if (!isInstalled) reportSkipped(project, excuse);
    if (!server) return;
    delete process.env[addressVariable];
    await server.stop();
  };
}

/** Where the closing line of the workspace's tests looks for the reason why a run skipped some. */
const excuseFile = "node_modules/.report/skipped.txt";

function reportSkipped(project: TestProject, excuse: string): void {
  const tests = project.vitest.state.getTestModules().flatMap((module) => [...module.children.allTests("skipped")]);
  if (tests.length === 0) return;
  const what = tests.length === 1 ? "1 test" : `${tests.length} tests`;
  const name = basename(project.config.root);
  const line = `PostgreSQL was not found: ${what} of ${name} skipped. ${howToInstall}`;
  console.log(line);
  mkdirSync(dirname(excuse), { recursive: true });
  writeFileSync(excuse, `${line}\n`);
}
