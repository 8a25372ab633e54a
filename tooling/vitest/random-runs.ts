/** How often a property is tried with random inputs: so often in `pnpm verify`, a tenth of that in `pnpm test`. */
export function randomRuns(inVerify: number): { numRuns: number } {
  return { numRuns: process.env.COGENCY_TESTS === "verify" ? inVerify : Math.ceil(inVerify / 10) };
}
