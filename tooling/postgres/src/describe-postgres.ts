import { describe } from "vitest";
import { findPostgres } from "./find-postgres.ts";
import { isRequired, testAddress } from "./test-address.ts";

/** Tests that need a running server, at `postgresUrl()`; they are skipped where there is none. */
export const describePostgres = describe.runIf(testAddress() !== undefined || isRequired());

/** Tests that start servers of their own with `startPostgres`; they are skipped where none is installed. */
export const describeOwnPostgres = describe.runIf(findPostgres() !== undefined || isRequired());

/**
 * The address of the server for tests. Make a database of your own there with `createDatabase`.
 *
 * @throws Error if there is none
 */
export function postgresUrl(): string {
  const url = testAddress();
  if (url === undefined) throw new Error("There is no PostgreSQL for tests: is the test in describePostgres?");
  return url;
}
