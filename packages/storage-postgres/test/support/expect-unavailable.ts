import { StoreError } from "@cogency/storage";
import { expect } from "vitest";

/** Asserts that the call failed because no server answered. */
export function expectUnavailable(result: PromiseSettledResult<unknown>): void {
  expect(result).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
}
