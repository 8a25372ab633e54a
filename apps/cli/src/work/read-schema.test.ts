import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSchema } from "./read-schema.ts";

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "s.json"), text);
  return join(folder, "s.json");
}

const person = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A person",
  type: "object",
  properties: {
    name: { type: "string", pattern: "^[A-Z]", description: "as in the letter" },
    age: { type: ["integer", "null"], minimum: 0, default: null },
    friends: { type: "array", items: { $ref: "#" }, maxItems: 9 },
    kind: { enum: ["a", 1, null] },
    any: true,
  },
  required: ["name"],
  additionalProperties: false,
};

describe("a schema", () => {
  it.each([
    ["of an object", person],
    ["of a list", { type: "array", items: { type: "string" } }],
    ["of alternatives", { oneOf: [{ const: 1 }, { $ref: "#/$defs/a" }], $defs: { a: { type: "null" } } }],
    [
      "of an older draft",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: {} },
        items: [{ $ref: "#/definitions/a" }],
      },
    ],
  ])("%s is read", async (_, schema) => {
    expect(await readSchema(fileWith(JSON.stringify(schema)))).toEqual(schema);
  });

  it.each<[string, unknown, string | RegExp]>([
    ["is no object", ["type"], "expected object, received array"],
    ["allows or forbids all", true, "expected object, received boolean"],
    ["names a type that does not exist", { type: "text" }, /type: /],
    [
      "has a bare type as a property",
      { type: "object", properties: { name: "string" } },
      /properties\.name: expected object/,
    ],
    [
      "says of a property that it is required",
      { properties: { name: { required: true } } },
      /properties\.name\.required/,
    ],
    ["has a pattern that is none", { items: { pattern: "(" } }, /items/],
    ["is an example of an answer", { name: "Ada", age: 36 }, /demands nothing/],
    ["is empty", {}, /demands nothing/],
    ["refers to what is not there", { $ref: "#/$defs/person" }, /leads nowhere/],
    [
      "has a default that does not fit",
      { properties: { n: { type: "number", default: "x" } } },
      /default "x" does not fit/,
    ],
  ])("that %s is refused, with what is wrong and an example", async (_, schema, problem) => {
    const reading = readSchema(fileWith(JSON.stringify(schema)));
    await expect(reading).rejects.toMatchObject({ name: "UsageError", message: expect.stringMatching(problem) });
    await expect(reading).rejects.toThrow(/s\.json is no JSON Schema: .* Write one such as \{"type"/);
  });

  it("is refused if it cannot be read or is no JSON", async () => {
    await expect(readSchema("no/such.json")).rejects.toThrow(
      /^The schema cannot be read from no\/such\.json: there is no such file/,
    );
    await expect(readSchema(fileWith("{"))).rejects.toThrow(
      /^The schema cannot be used: .*s\.json, line 1: this is not JSON/,
    );
  });
});
