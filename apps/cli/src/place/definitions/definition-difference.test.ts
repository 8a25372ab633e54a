import { describe, expect, it } from "vitest";
import type { Definition } from "./definition.ts";
import { definitionDifference } from "./definition-difference.ts";

const of = (description: string, parameters = {}, annotations = {}): Definition => ({
  description,
  parameters,
  annotations,
});

describe("the difference of two definitions", () => {
  it("names the part, and has the lines that are gone and new with two lines around them", () => {
    const lines = ["one", "two", "three", "four", "five", "six", "seven"];
    const after = lines.with(3, "4").join("\n");
    expect(definitionDifference(of(lines.join("\n")), of(after))).toEqual([
      "@ description",
      "  two",
      "  three",
      "- four",
      "+ 4",
      "  five",
      "  six",
    ]);
  });

  it("shows a property that is new in the schema, and nothing where only the order of keys is another", () => {
    const before = of("", { type: "object", properties: { a: { type: "string" } } });
    const after = of("", { properties: { a: { type: "string" }, key: { type: "string" } }, type: "object" });
    expect(definitionDifference(before, after).filter((line) => line.startsWith("+"))).toEqual([
      "+     },",
      '+     "key": {',
      '+       "type": "string"',
    ]);
    expect(definitionDifference(before, of("", { properties: { a: { type: "string" } }, type: "object" }))).toEqual([]);
  });

  it("shows a change far to the right in a long line", () => {
    const long = "a".repeat(900);
    const shown = definitionDifference(of(`${long} end`), of(`${long} evil`));
    expect(shown).toContain(`+ ${"a".repeat(100)} evil`);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(210);
  });

  it("is bounded, says how much is missing, and takes no long time for texts that have nothing in common", () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`).join("\n");
    const lines = definitionDifference(of(text("a")), of(text("b")));
    expect(lines).toHaveLength(81);
    expect(lines.at(-1)).toBe("… 9921 more lines");
  });
});
