/** The environment variable with the address of a running server for tests. */
export const addressVariable = "COGENCY_TEST_REDIS";

export function testAddress(): string | undefined {
  return process.env[addressVariable] || undefined;
}

/** Whether tests fail instead of being skipped where no Redis is. */
export function isRequired(): boolean {
  return process.env.COGENCY_REQUIRE_REDIS === "1";
}
