/**
 * Beginnings of the names of cases that take a second, or many requests: they run with all others in `*.verify.test.ts`. In `pnpm test`
 * the provider of the guide (`packages/provider/test/guide-light.conformance.verify.test.ts`) runs all but the first two.
 */
const heavy = [
  "1,000 streams one after another",
  "a consumer that stalls makes the server wait",
  "any byte, also of a comment,",
  "an answer in one piece and byte by byte",
  "JSON over several data lines",
  "comments, empty lines, unknown fields",
  "lines that end in",
  "data lines without a space",
  "characters of 2, 3 and 4 bytes",
  "an answer that is cut anywhere",
];

/** The cases of the provider's kit that take no seconds. */
export function lightCases<Case extends { name: string }>(cases: readonly Case[]): Case[] {
  const gone = heavy.filter((start) => !cases.some(({ name }) => name.startsWith(start)));
  if (gone.length > 0) throw new Error(`The kit has no case that begins with ${gone.join(", nor one with ")}.`);
  return cases.filter(({ name }) => !heavy.some((start) => name.startsWith(start)));
}
