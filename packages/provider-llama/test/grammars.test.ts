import type { JsonSchema } from "@cogency/protocol";
import { turnGrammar } from "@cogency/protocol/grammar";
import { getLlama, type Llama } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";

const text = (keywords: object) => ({ type: "string", ...keywords });
const list = (items: object) => ({ type: "array", items, maxItems: 64, minItems: 60 });

/** What makes grammars large. llama.cpp refuses one in which a rule repeats too much. */
const schemas: Record<string, object> = {
  "a long text": text({ minLength: 1000, maxLength: 1024 }),
  "lists of lists of long texts": list(list({ type: "object", properties: { a: text({ maxLength: 1024 }) } })),
  "many items in their places": {
    type: "array",
    prefixItems: Array.from({ length: 60 }, () => text({ maxLength: 99 })),
  },
  "a repetition of repetitions": text({ pattern: "^(a|b|[cd]{0,256}){0,256}$" }),
  "repetitions three deep": text({ pattern: "^(?:(?:x{1,200}-){1,200}y){1,200}$" }),
  "a path": text({ pattern: "^(\\w{1,100}/){0,50}\\w{1,100}$" }),
  "many choices": { enum: Array.from({ length: 2000 }, (_, nth) => `choice ${nth}`) },
  "large numbers": { type: "integer", minimum: -999_999_999_999, maximum: 123_456_789_012_345 },
  "characters beyond ASCII": text({ pattern: "^[а-яё😀-😿]{1,20}[^\\u2028]$" }),
};

describeLlama("llama.cpp", () => {
  let library: Llama;
  beforeAll(async () => {
    library = await getLlama({ build: "never", gpu: false });
  });
  afterAll(() => library.dispose());

  describe.each(["json", "xml"] as const)("in the %s dialect", (dialect) => {
    it.each(Object.entries(schemas))("reads the grammar of %s", async (_, a) => {
      const parameters: JsonSchema = { type: "object", properties: { a }, required: ["a"] };
      const grammar = turnGrammar({ tools: [{ name: "t", description: "", parameters }], dialect });
      expect(grammar).toContain(dialect === "json" ? '\\"a\\"' : "<a>");
      await expect(library.createGrammar({ grammar })).resolves.toBeDefined();
    });
  });
});
