import { parserVectors } from "@cogency/protocol/testkit";
import { describe, expect, it } from "vitest";
import { grammarLaws } from "./grammar-laws.ts";
import { Law } from "./law.ts";

grammarLaws({ toolbox: 100, languages: 8, each: 8, mutations: 40 });

describe("the vectors of the parser", () => {
  const { canonical, edges, adversarial } = parserVectors;
  const vectors = [...canonical, ...edges, ...adversarial].filter(
    ({ options = {} }) => Object.keys(options).length === 0,
  );

  it("hold no error where the grammar accepts the text", () => {
    const law = new Law({ tools: [], hasOthers: true });
    const accepted = vectors.filter(({ chunks }) => law.recognizer.accepts(chunks.join("")));
    expect(accepted.length).toBeGreaterThan(5);
    for (const { name, events } of accepted) {
      expect
        .soft(
          events.filter(({ type }) => type === "error"),
          name,
        )
        .toEqual([]);
    }
  });
});
