import { expect } from "vitest";
import type { WebError } from "../../src/web/web-error.ts";

/** The error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<WebError> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error) => error,
  );
}
