import { expect } from "vitest";
import type { WebError } from "../../src/web/web-error.ts";

/** What a promise is rejected with; the tests look at its fields. */
export async function errorOf(promise: Promise<unknown>): Promise<WebError> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error) => error,
  );
}
