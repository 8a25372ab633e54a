import { describe } from "vitest";
import { isRequired, testAddress } from "./test-address.ts";

/** Tests that need a running server, at `redisUrl()`; they are skipped where there is none. */
export const describeRedis = describe.runIf(testAddress() !== undefined || isRequired());

/**
 * The address of the server for tests, which share it: take keys of your own.
 *
 * @throws Error if there is none
 */
export function redisUrl(): string {
  const url = testAddress();
  if (url === undefined) throw new Error("There is no Redis for tests: is the test in describeRedis?");
  return url;
}
