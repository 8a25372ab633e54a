import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import type { ToolInput } from "./infer-args.ts";

const plain = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" }, mode: { enum: ["x", "y"] } },
  required: ["a", "b"],
} as const;
const zod = z.object({ a: z.number(), b: z.number(), mode: z.enum(["x", "y"]).optional() });

function toolOf(input: ToolInput): Tool {
  return defineTool({ name: "t", description: "Test tool", input, execute: () => null });
}

describe.each([
  ["plain JSON Schema", toolOf(plain)],
  ["closed JSON Schema", toolOf({ ...plain, additionalProperties: false })],
  ["zod", toolOf(zod)],
  ["strict zod", toolOf(z.strictObject(zod.shape))],
])("unknown keys of %s", (_, tool) => {
  it.each<[JsonObject, string[]]>([
    [{ a: 1 }, ["b"]],
    [{ a: null, b: 2 }, ["a"]],
    [{ a: "1", b: [1] }, ["a", "b"]],
    [{ a: 1, b: 2, mode: "z" }, ["mode"]],
    [{ a: 1, b: 2, extra: 3 }, ["extra"]],
    [{ b: "2", extra: 3, mod: "x", mode: "z" }, ["a", "b", "extra", "mod", "mode"]],
  ])("are issues, listed with all others: %j at %j (S11)", async (args, paths) => {
    const validation = await tool.validate(args);
    expect(validation.ok ? [] : validation.issues.map(({ path }) => path).sort()).toEqual(paths);
  });

  it("name the properties that were probably meant", async () => {
    const validation = await tool.validate({ a: 1, b: 2, Mode: "x", zzzz: 1 });
    expect(validation).toEqual({
      ok: false,
      issues: [
        { path: "Mode", message: "there is no `Mode`; did you mean `mode`?" },
        { path: "zzzz", message: "there is no `zzzz`; valid names: `a`, `b`, `mode`" },
      ],
    });
  });

  it("cause no issue when there are none", async () => {
    const args = { a: 1, b: 2, mode: "y" };
    expect(await tool.validate(args)).toEqual({ ok: true, args });
  });
});

describe("unknown keys", () => {
  it.each([
    ["plain JSON Schema", plain],
    ["zod", zod],
  ])("are refused from %s (S11)", async (_, input) => {
    const validation = await toolOf(input).validate({ a: 1, b: 2, extra: 3 });
    expect(validation).toMatchObject({ ok: false, issues: [{ path: "extra" }] });
  });

  it("of a tool without arguments are refused, and the message says that it takes none", async () => {
    const validation = await toolOf({ type: "object", properties: {} }).validate({ start: 5 });
    expect(validation).toMatchObject({ issues: [{ message: "there is no `start`; there are no names here" }] });
  });

  it("are shortened in the message", async () => {
    const validation = await toolOf(plain).validate({ a: 1, b: 2, ["x".repeat(100_000)]: 1 });
    expect(validation.ok ? "" : validation.issues[0]?.message.length).toBeLessThan(200);
  });

  it("are found at any depth, with their whole path", () => {
    const item = { type: "object", properties: { name: { type: "string" } } };
    const tool = toolOf({
      type: "object",
      properties: { items: { type: "array", items: item }, "content-type": item, map: { additionalProperties: item } },
    });
    const args = {
      items: [{ name: "a" }, { nam: "b", name: 5 }],
      "content-type": { x: 1 },
      map: { any: { "odd key": [] } },
    };
    expect(tool.validate(args)).toEqual({
      ok: false,
      issues: [
        { path: "items[1].name", message: "expected string, received number" },
        { path: "items[1].nam", message: "there is no `nam`; did you mean `name`?" },
        { path: '["content-type"].x', message: "there is no `x`; valid names: `name`" },
        { path: 'map.any["odd key"]', message: "there is no `odd key`; valid names: `name`" },
      ],
    });
  });

  it.each<[string, ToolInput]>([
    ["admits more", { ...plain, additionalProperties: true }],
    ["has a schema for more", { ...plain, additionalProperties: { type: "number" } }],
    ["declares no property", { type: "object" }],
    ["declares it by pattern", { ...plain, patternProperties: { "^ext": {} } }],
    ["requires it", { ...plain, required: ["a", "b", "extra"] }],
    ["declares it in an alternative", { ...plain, anyOf: [{ properties: { extra: {} } }, {}] }],
    ["is a loose zod object", z.looseObject(zod.shape)],
  ])("are accepted if the schema %s", async (_, input) => {
    const args = { a: 1, b: 2, extra: 3 };
    expect(await toolOf(input).validate(args)).toEqual({ ok: true, args });
  });

  it("are refused also if the schema is checked asynchronously", async () => {
    const tool = toolOf(z.object({ a: z.number().refine(async (value) => value > 0, "too small") }));
    expect(await tool.validate({ a: 0, other: 1 })).toEqual({
      ok: false,
      issues: [
        { path: "a", message: "too small" },
        { path: "other", message: "there is no `other`; valid names: `a`" },
      ],
    });
  });

  it("are all listed, even a hundred thousand", async () => {
    const extra = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`b${index}`, 1]));
    const validation = await toolOf(plain).validate({ a: 1, b: 2, ...extra });
    expect(validation.ok ? 0 : validation.issues.length).toBe(100_000);
  });
});
