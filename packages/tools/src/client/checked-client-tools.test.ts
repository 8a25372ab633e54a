import { describe, expect, it } from "vitest";
import { isToolError } from "../errors.ts";
import { checkedClientTools } from "./checked-client-tools.ts";

const object = { type: "object" };
const tool = (more: object = {}) => ({
  name: "pick",
  description: "Lets the person pick.",
  parameters: object,
  ...more,
});

/** A schema that is nested so many levels deep. */
function nested(levels: number): object {
  return levels === 1 ? object : { type: "object", not: nested(levels - 1) };
}

function problemOf(tools: unknown): Error & { code?: string } {
  try {
    checkedClientTools(tools);
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was refused.");
}

describe("the tools that a client brings", () => {
  it.each<[string, unknown, string, RegExp]>([
    ["no array", { 0: tool() }, "TypeError", /`tools` is an object; give an array of tools/],
    ["a text", "pick", "TypeError", /`tools` is a string/],
    [
      "129 of them",
      Array.from({ length: 129 }, (_, n) => tool({ name: `pick_${n}` })),
      "RangeError",
      /129 .* at most 128/,
    ],
    ["one that is null", [tool(), null], "TypeError", /tools\[1\] is null/],
    ["one that is an array", [[]], "TypeError", /tools\[0\] is an array/],
    ["one without a name", [{ ...tool(), name: undefined }], "TypeError", /tools\[0\] has the name undefined/],
    ["an empty name", [tool({ name: "" })], "TypeError", /tools\[0\].*a name begins with a letter/],
    ["a name with a space", [tool({ name: "pick one" })], "TypeError", /"pick one".*a name begins with a letter/],
    ["a name that begins with a digit", [tool({ name: "1st" })], "TypeError", /"1st".*a name begins with a letter/],
    ["a name of 65 characters", [tool({ name: "p".repeat(65) })], "TypeError", /more than 64 characters/],
    ["a name that is a marker", [tool({ name: "execute" })], "TypeError", /"execute".*marker/],
    [
      "a name that is there twice",
      [tool(), tool({ description: "" })],
      "TypeError",
      /tools\[1\], the tool "pick": two tools/,
    ],
    ["no description", [tool({ description: undefined })], "TypeError", /"pick": its `description` is undefined/],
    ["a description that is an object", [tool({ description: {} })], "TypeError", /its `description` is an object/],
    ["no parameters", [tool({ parameters: undefined })], "TypeError", /its `parameters` are undefined/],
    ["parameters that are a text", [tool({ parameters: "{}" })], "TypeError", /its `parameters` are a string/],
    ["parameters of no object", [tool({ parameters: { type: "string" } })], "TypeError", /"pick".*root of the schema/],
    ["parameters without a type", [tool({ parameters: {} })], "TypeError", /"pick".*root of the schema/],
    [
      "parameters that are no schema",
      [tool({ parameters: { type: "object", properties: { a: { type: "text" } } } })],
      "TypeError",
      /"pick".*properties\.a\.type must be one of/,
    ],
    [
      "a reference that leads nowhere",
      [tool({ parameters: { type: "object", properties: { a: { $ref: "#/$defs/a" } } } })],
      "TypeError",
      /"pick".*leads nowhere/,
    ],
    [
      "a function",
      [tool({ parameters: { type: "object", default: () => 1 } })],
      "TypeError",
      /"pick".*received function/,
    ],
    [
      "no finite number",
      [tool({ parameters: { type: "object", x: Number.NaN } })],
      "TypeError",
      /"pick".*received NaN/,
    ],
    [
      "a key __proto__",
      [tool({ parameters: JSON.parse('{"type":"object","properties":{"__proto__":{}}}') })],
      "TypeError",
      /"pick".*__proto__/,
    ],
    ["65 levels", [tool({ parameters: nested(65) })], "TypeError", /"pick".*deeper than 64 levels/],
    [
      "more than 256 kB together",
      ["a", "b"].map((name) => tool({ name, description: "x".repeat(131_072) })),
      "RangeError",
      /more than 262144 bytes of JSON, at tools\[1\], the tool "b"/,
    ],
  ])("are refused: %s", (_, tools, type, message) => {
    const error = problemOf(tools);
    expect(error.constructor.name).toBe(type);
    expect(error.message).toMatch(message);
    expect(error.code).toBe("invalid_option");
  });

  it("are refused if the agent has one of that name, with a code of its own", () => {
    const refused = () => checkedClientTools([tool()], new Set(["pick"]));
    expect(refused).toThrow('The client brings a tool "pick", which the agent has itself');
    expect(refused).toThrow(expect.objectContaining({ code: "name_taken", tool: "pick" }));
    try {
      refused();
    } catch (error) {
      expect(isToolError(error, "name_taken")).toBe(true);
    }
  });

  it("are read without other fields, as copies whose texts are well-formed", () => {
    const given = tool({ description: "a \ud800 half", readOnly: true, approval: "allow", execute: "x" });
    const [read] = checkedClientTools([given]);
    expect(read).toEqual({ name: "pick", description: "a \ufffd half", parameters: object });
    expect(read?.parameters).not.toBe(object);
  });

  it("may be none, 128, and nested 64 levels deep", () => {
    expect(checkedClientTools([])).toEqual([]);
    const many = Array.from({ length: 128 }, (_, n) => tool({ name: `pick_${n}` }));
    expect(checkedClientTools(many)).toHaveLength(128);
    expect(checkedClientTools([tool({ parameters: nested(64) })])).toHaveLength(1);
  });

  it("may have defaults that do not fit: the client fills them in", () => {
    const parameters = { type: "object", properties: { count: { type: "integer", default: "many" } } };
    expect(checkedClientTools([tool({ parameters })])).toHaveLength(1);
  });
});
