/**
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function equal(actual, expected) {
  if (actual !== expected) throw new Error(`found ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
