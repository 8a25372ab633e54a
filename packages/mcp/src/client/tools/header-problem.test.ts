import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { headerProblem } from "./header-problem.ts";

const header = (name: Json, type = "string") => ({ type, "x-mcp-header": name });
const object = (properties: Json) => ({ type: "object", properties });

describe("headerProblem", () => {
  it.each<[string, Json]>([
    ["no header", object({ a: { type: "string" } })],
    [
      "headers of texts, whole numbers and flags",
      object({ a: header("A"), b: header("B", "integer"), c: header("C", "boolean") }),
    ],
    ["a header of an argument in an argument", object({ a: object({ b: header("B") }) })],
    ["an argument of that name", object({ "x-mcp-header": { type: "string" } })],
    ["values that only look like schemas", object({ a: { type: "string", default: { "x-mcp-header": 5 } } })],
  ])("admits %s", (_, schema) => {
    expect(headerProblem(schema)).toBeUndefined();
  });

  it.each<[string, Json]>([
    ["the root", { type: "object", "x-mcp-header": "A" }],
    ["an item", object({ a: { type: "array", items: header("A") } })],
    ["an alternative", { type: "object", anyOf: [object({ a: header("A") })] }],
    ["a definition", { type: "object", $defs: { a: header("A") } }],
    ["an additional argument", { type: "object", additionalProperties: header("A") }],
    ["an argument that is a number", object({ a: header("A", "number") })],
    ["an argument that is an object", object({ a: { ...object({}), "x-mcp-header": "A" } })],
    ["an argument, without a name", object({ a: header("") })],
    ["an argument, with a line feed in its name", object({ a: header("A\r\nB: c") })],
    ["an argument, with a name that is none", object({ a: header(5) })],
    ["two arguments, with one name", object({ a: header("Region"), b: header("region") })],
  ])("refuses a header at %s", (_, schema) => {
    expect(headerProblem(schema)).toMatch(/^its schema has .*[a-z]$/);
  });
});
