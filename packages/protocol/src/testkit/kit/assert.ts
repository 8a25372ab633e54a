/** Throws an error with that message unless the condition holds. */
export function assert(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

/**
 * Throws unless both values are the same data: deeply, with the same own properties in any order. Anything that JSON has
 * no form for (a Date, a Map, a function) equals itself only.
 *
 * @param what begins the sentence "…: expected 1, got 2.": `the number of requests`
 */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isEqual(actual, expected)) throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}.`);
}

/** A value for an error message: its JSON text, cut after 500 characters. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isTree(a) || !isTree(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(own(a, key), own(b, key)));
}

/** Whether the value is an array, or an object that has nothing but its properties; also one of a class. */
function isTree(value: unknown): value is object {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}

/** Not `object[key]`: for the key `__proto__` that may return the prototype. */
function own(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
