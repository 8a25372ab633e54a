import { StoreError } from "@cogency/storage";
import { expect } from "vitest";

/** The call failed, as one that found no server to answer it. */
export function expectUnavailable(result: PromiseSettledResult<unknown>): void {
  expect(result).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
}
