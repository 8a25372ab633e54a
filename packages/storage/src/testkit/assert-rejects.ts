import { show } from "@cogency/protocol/testkit";
import type { StoreErrorCode } from "../errors.ts";

/**
 * Throws unless the promise rejects with a StoreError of that code, and returns the error. Checks the shape and not the
 * class, because the adapter may have loaded another copy of this package.
 */
export async function assertRejects(
  promise: Promise<unknown>,
  code: StoreErrorCode,
  what: string,
): Promise<Error & Record<string, unknown>> {
  const error: unknown = await promise.then(
    (value) => {
      throw new Error(`${what}: expected a StoreError "${code}", but it resolved to ${show(value)}.`);
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(`${what}: rejected with ${show(error)}, which is not an Error.`);
  const refusal = error as Error & Record<string, unknown>;
  if (refusal.code !== code) {
    throw new Error(`${what}: expected a StoreError "${code}", got ${error.name}: ${error.message}`, { cause: error });
  }
  return refusal;
}

/** Throws unless the promise rejects with a RangeError. */
export async function assertOutOfRange(promise: Promise<unknown>, what: string): Promise<void> {
  const name = await promise.then(
    () => "success",
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
  if (name !== "RangeError") throw new Error(`${what}: expected a RangeError, got ${name}.`);
}
