/**
 * Runs every vector of the testkit against the parser, in every chunking.
 *
 * @param {Pick<typeof import("@cogency/protocol"), "createParser" | "settle">} protocol
 * @param {Pick<typeof import("@cogency/protocol/testkit"), "parserConformance" | "parserVectors">} testkit
 * @returns {{ passed: number, failures: string[] }}
 */
export function conformance({ createParser, settle }, { parserConformance, parserVectors }) {
  const vectors = Object.values(parserVectors).flat();
  const cases = parserConformance(vectors, (chunks, { dialect, finish, options }) => {
    const parser = createParser({ dialect, ...options });
    return [...settle([...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end(finish)])];
  });
  const failures = cases.flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [`${name}: ${error}`];
    }
  });
  return { passed: cases.length - failures.length, failures };
}
