import type { StoreErrorCode } from "../errors.ts";

export function assert(isSo: boolean, problem: string): asserts isSo {
  if (!isSo) throw new Error(problem);
}

/** Throws unless both are the same value: deeply, with the same own properties, in any order of properties. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isEqual(actual, expected)) throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}.`);
}

/**
 * Throws unless the promise rejects with a StoreError of that code, and returns the error. Told by its shape, not by its
 * class: the adapter may have loaded another copy of this package.
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
  if (!(error instanceof Error)) throw new Error(`${what}: rejected with ${show(error)}, which is no Error.`);
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

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(own(a, key), own(b, key)));
}

/** Not `object[key]`, which for the key `__proto__` may answer with the prototype. */
function own(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}
