import { describe, expect, it } from "vitest";
import { readGbnf } from "../../test/gbnf/read-gbnf.ts";
import { Recognizer } from "../../test/gbnf/recognize.ts";
import { schemaGrammar } from "./schema-grammar.ts";

const point = {
  type: "object",
  properties: { x: { type: "integer", minimum: 0 }, label: { type: "string", maxLength: 3 } },
  required: ["x"],
};

describe("the grammar of a schema", () => {
  const law = (...args: Parameters<typeof schemaGrammar>) => new Recognizer(readGbnf(schemaGrammar(...args) ?? ""));

  it.each(['{"x":1}', '{\n  "x": 12,\n  "label": "ab"\n}'])("takes the value %j", (text) => {
    expect(law(point).accepts(text)).toBe(true);
  });

  it.each(["", "{}", '{"x":-1}', '{"x":1,"label":"abcd"}', '{"x":1} ', 'Here: {"x":1}', '<think>a</think>{"x":1}'])(
    "does not take %j",
    (text) => {
      expect(law(point).accepts(text)).toBe(false);
    },
  );

  it("takes any value for a schema that says nothing, and has no text where no value fits", () => {
    expect(law({}).accepts('[1, {"a": null}]')).toBe(true);
    expect(schemaGrammar({ type: "array", minItems: 2, maxItems: 1 })).toBeUndefined();
  });

  it("has a thought first where the chat template has opened it", () => {
    const begun = law(point, "think");
    expect(begun.accepts('so\n</think>\n\n{"x":1}')).toBe(true);
    expect(begun.accepts('so</think>{"x":1}')).toBe(true);
    expect(begun.accepts('{"x":1}')).toBe(false);
  });
});
