import { describe, expect, it } from "vitest";
import type { LogEvent } from "../events.ts";
import { toMessages } from "../messages/assemble.ts";
import { createParser } from "../parse/parser.ts";
import { settle } from "../parse/settle.ts";
import { messageVectors, parserConformance, parserVectors } from "./index.ts";

describe("the parser's vectors", () => {
  const cases = parserConformance(Object.values(parserVectors).flat(), (chunks, { dialect, options, finish }) => {
    const parser = createParser({ dialect, ...options });
    return [...settle([...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end(finish)])];
  });
  for (const { name, run } of cases) it(name, run);
});

describe("the assembly's vectors", () => {
  for (const { name, why, form = "json", log, messages } of messageVectors) {
    it(`${name}: ${why}`, () => {
      const stored = log.map((event, i) => ({ ...event, timestamp: i })) as LogEvent[];
      expect(toMessages(stored, { form })).toEqual(messages);
    });
  }
});
