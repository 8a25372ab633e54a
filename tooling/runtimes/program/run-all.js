/**
 * Makes each run, and tells which failed.
 *
 * @template Given
 * @param {Record<string, (given: Given) => Promise<void>>} runs by what they show
 * @param {Given} given
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
export async function runAll(runs, given) {
  const failures = [];
  for (const [name, run] of Object.entries(runs)) {
    try {
      await run(given);
    } catch (error) {
      failures.push(`${name}: ${error}`);
    }
  }
  return { passed: Object.keys(runs).length - failures.length, failures };
}
