import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
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
  const excuse = skippedExcuse(project);
  let server: PostgresServer | undefined;
  if (isInstalled && testAddress() === undefined) {
    server = await startPostgres();
    process.env[addressVariable] = server.url;
  }
  return async () => {
    if (!isInstalled) excuse.leave("PostgreSQL was not found", howToInstall);
    if (!server) return;
    delete process.env[addressVariable];
    await server.stop();
  };
}
