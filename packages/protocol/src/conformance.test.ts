import { describe, expect, it } from "vitest";
import { toMessages } from "./assemble.ts";
import type { LogEvent } from "./events.ts";
import { createParser } from "./parser.ts";
import { settle } from "./settle.ts";
import { messageVectors, parserConformance, parserVectors } from "./testkit/index.ts";

const parserVectorsHere = Object.values(parserVectors)
  .flat()
  .filter((vector) => vector.dialect !== "xml" && !vector.options?.repair);

describe("the parser's vectors", () => {
  const cases = parserConformance(parserVectorsHere, (chunks, { options, finish }) => {
    const parser = createParser({ results: options?.results, startIn: options?.startIn });
    return [...settle([...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end(finish)])];
  });
  for (const { name, run } of cases) it(name, run);
});

describe("the assembly's vectors", () => {
  for (const { name, why, log, messages } of messageVectors) {
    it(`${name}: ${why}`, () => {
      const stored = log.map((event, i) => ({ ...event, timestamp: i })) as LogEvent[];
      expect(toMessages(stored, { form: "json" })).toEqual(messages);
    });
  }
});
