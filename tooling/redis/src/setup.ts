import { skippedExcuse } from "@tooling/vitest/skipped-excuse";
import type { TestProject } from "vitest/node";
import { findRedis } from "./find-redis.ts";
import { howToInstall, type RedisServer, startRedis } from "./start-redis.ts";
import { addressVariable, isRequired, testAddress } from "./test-address.ts";

/**
 * A global setup of vitest: one server for the run of a package, unless COGENCY_TEST_REDIS names one. Without any, the tests that
 * need one are skipped and one line says so; with COGENCY_REQUIRE_REDIS=1 the run fails instead.
 *
 * @returns what ends it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isInstalled = findRedis() !== undefined;
  if (!isInstalled && testAddress() === undefined && isRequired()) {
    throw new Error(`Redis was not found, and COGENCY_REQUIRE_REDIS is set. ${howToInstall}`);
  }
  const excuse = skippedExcuse(project);
  let server: RedisServer | undefined;
  if (isInstalled && testAddress() === undefined) {
    server = await startRedis();
    process.env[addressVariable] = server.url;
  }
  return async () => {
    if (!isInstalled) excuse.leave("Redis was not found", howToInstall);
    if (!server) return;
    delete process.env[addressVariable];
    await server.stop();
  };
}
