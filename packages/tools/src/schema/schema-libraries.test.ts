import type { JsonObject, JsonSchema } from "@cogency/protocol";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod3";
import { batchContext, executorOf } from "../../test/support/fixtures.ts";
import { defineTool } from "../define-tool.ts";
import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import type { ToolInput } from "./infer-args.ts";

const base = { name: "t", description: "Test tool" };
const parameters: JsonSchema = {
  type: "object",
  properties: {
    file: { type: "string" },
    limit: { type: "integer" },
    points: { type: "array", items: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
    mode: { enum: ["fast", "slow"] },
  },
  required: ["file", "points", "mode"],
};

interface Args {
  file: string;
  limit?: number | undefined;
  points: { x: number }[];
  mode: "fast" | "slow";
}

/** What each tool makes of its arguments. */
const execute = ({ file, limit = 5, points, mode }: Args) => `${file} ${limit} ${points.map(({ x }) => x)} ${mode}`;

const tools: [string, Tool][] = [
  [
    "zod 4",
    defineTool({
      ...base,
      input: z.object({
        file: z.string(),
        limit: z.int().default(5),
        points: z.array(z.object({ x: z.number() })),
        mode: z.enum(["fast", "slow"]),
      }),
      execute,
    }),
  ],
  [
    "zod/mini",
    defineTool({
      ...base,
      input: mini.object({
        file: mini.string(),
        limit: mini._default(mini.int(), 5),
        points: mini.array(mini.object({ x: mini.number() })),
        mode: mini.enum(["fast", "slow"]),
      }),
      parameters,
      execute,
    }),
  ],
  [
    "zod 3",
    defineTool({
      ...base,
      input: z3.object({
        file: z3.string(),
        limit: z3.number().int().default(5),
        points: z3.array(z3.object({ x: z3.number() })),
        mode: z3.enum(["fast", "slow"]),
      }),
      parameters,
      execute,
    }),
  ],
  [
    "valibot",
    defineTool({
      ...base,
      input: v.object({
        file: v.string(),
        limit: v.optional(v.number(), 5),
        points: v.array(v.object({ x: v.number() })),
        mode: v.picklist(["fast", "slow"]),
      }),
      parameters,
      execute,
    }),
  ],
  [
    "arktype",
    defineTool({
      ...base,
      input: type({
        file: "string",
        "limit?": "number.integer",
        points: type({ x: "number" }).array(),
        mode: "'fast' | 'slow'",
      }),
      execute,
    }),
  ],
  [
    "JSON Schema",
    defineTool({
      ...base,
      input: {
        type: "object",
        properties: {
          file: { type: "string" },
          limit: { type: "integer" },
          points: { type: "array", items: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
          mode: { enum: ["fast", "slow"] },
        },
        required: ["file", "points", "mode"],
      },
      execute,
    }),
  ],
];

describe.each(tools)("a tool whose input is of %s", (_, tool) => {
  async function call(args: JsonObject) {
    const [execution] = await executorOf([tool]).run([{ name: "t", args }], batchContext());
    return execution;
  }

  it("runs with the arguments as its schema returns them", async () => {
    const given = { file: "a.md", points: [{ x: 1 }, { x: 3 }], mode: "fast" };
    const execution = await call(given);
    expect(execution).toMatchObject({ outcome: "success", value: "a.md 5 1,3 fast" });
  });

  it("does not run with arguments that do not fit, and names every path in one message", async () => {
    const execution = await call({ file: 1, limit: "many", points: [{ x: 1 }, {}, { x: "3" }], mode: "warp" });
    expect(execution).toMatchObject({ outcome: "failure", started: false });
    for (const path of ["file:", "limit:", "points[1].x:", "points[2].x:", "mode:"]) {
      expect(execution?.error?.message).toContain(path);
    }
  });

  it("lists unknown keys with all other issues", async () => {
    const validation = await tool.validate({ fil: "a.md", points: [{ x: "1", y: 2 }], mode: "fast" });
    const issues = validation.ok ? [] : validation.issues;
    expect(issues.map(({ path }) => path).sort()).toEqual(["fil", "file", "points[0].x", "points[0].y"]);
    expect(issues.find(({ path }) => path === "fil")?.message).toBe("there is no `fil`; did you mean `file`?");
  });

  it("shows the model a schema of an object", () => {
    expect(tool.spec.parameters).toMatchObject({ type: "object", properties: parameters.properties });
  });
});

describe("a schema whose root is not an object", () => {
  it.each<[string, ToolInput, string]>([
    ["zod 4", z.array(z.string()), "array"],
    ["zod 4 behind a transformation", z.string().transform(Number), "string"],
    ["zod/mini", mini.string(), "string"],
    ["zod/mini behind a wrapper", mini.optional(mini.array(mini.string())), "array"],
    ["zod 3", z3.string(), "string"],
    ["zod 3 behind effects and wrappers", z3.string().min(1).transform(Number).optional().nullable(), "string"],
    ["zod 3 behind a pipe", z3.number().pipe(z3.number()).brand("x").readonly(), "number"],
    ["valibot", v.string(), "string"],
    ["valibot behind a pipe and a wrapper", v.nullable(v.pipe(v.array(v.string()), v.minLength(1))), "array"],
    ["arktype", type("string"), "string"],
    ["JSON Schema", { type: "string" }, "string"],
  ])("is refused when the tool is defined, for %s", (_, input, root) => {
    for (const more of [{}, { parameters }]) {
      if (more.parameters && !("~standard" in input)) continue;
      const define = () => defineTool({ ...base, input, execute: () => null, ...more });
      expect(define).toThrow(ToolError);
      if (more.parameters) {
        expect(define).toThrow(
          expect.objectContaining({ code: "root_not_object", message: expect.stringContaining(root) }),
        );
      }
    }
  });

  it.each<[string, ToolInput]>([
    ["a record", z.record(z.string(), z.number())],
    ["a union of objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ["a union of objects in zod 3", z3.union([z3.object({ a: z3.string() }), z3.object({ b: z3.string() })])],
    ["an intersection in zod 3", z3.object({ a: z3.string() }).and(z3.object({ b: z3.string() }))],
    ["what zod 3 makes of anything", z3.preprocess((value) => String(value), z3.string())],
    ["a variant of valibot", v.variant("k", [v.object({ k: v.literal(1) })])],
    ["anything", mini.any()],
    ["a lazy schema", z.lazy(() => z.object({}))],
  ])("is what %s may be: `parameters` decide", (_, input) => {
    expect(defineTool({ ...base, input, parameters, execute: () => null }).spec.parameters).toEqual(parameters);
  });
});

describe("an object of schemas", () => {
  it.each<[string, object, string]>([
    ["zod 4", { order: z.string() }, "z.object(…)"],
    ["zod/mini", { order: mini.string() }, "z.object(…)"],
    ["zod 3", { order: z3.string() }, "z.object(…)"],
    ["zod before 3.24", { order: { _def: {}, safeParse() {} } }, "z.object(…)"],
    ["valibot", { order: v.string() }, "v.object(…)"],
    ["arktype", { order: type("string") }, "type(…)"],
    [
      "another library",
      { order: { "~standard": { version: 1, vendor: "other", validate: () => ({ value: 1 }) } } },
      "what the library of its schemas has for objects",
    ],
  ])("is refused with what to wrap it in, with and without `parameters`, for %s", (_, input, wrapper) => {
    const message = `Tool "t": \`input\` is an object with a schema under \`order\`, but no schema itself: wrap it in ${wrapper}.`;
    for (const more of [{}, { parameters }]) {
      const define = () => defineTool({ ...base, input: input as never, execute: () => null, ...more });
      expect(define).toThrow(expect.objectContaining({ code: "invalid_schema", message }));
    }
  });

  it.each([["type"], ["properties"], ["required"]])("is refused if one is called like a keyword: %s", (name) => {
    const input = { type: "object", [name]: z.string() } as never;
    expect(() => defineTool({ ...base, input, execute: () => null })).toThrow("wrap it in z.object(…)");
  });
});

describe("a schema without JSON Schema", () => {
  it.each<[string, ToolInput, string]>([
    ["zod 3", z3.object({ a: z3.string() }), "zod-to-json-schema"],
    ["zod/mini", mini.object({ a: mini.string() }), "z.toJSONSchema(schema"],
    ["a date in zod 4", z.object({ a: z.date() }), "z.toJSONSchema(schema"],
    ["valibot", v.object({ a: v.string() }), "@valibot/to-json-schema"],
  ])("is refused with advice, for %s", (_, input, advice) => {
    expect(() => defineTool({ ...base, input, execute: () => null })).toThrow(
      expect.objectContaining({ code: "no_json_schema", message: expect.stringContaining(advice) }),
    );
  });

  it("is accepted for zod/mini with the `parameters` that the error advises", () => {
    const input = mini.object({ a: mini.optional(mini.string()) });
    const tool = defineTool({
      ...base,
      input,
      parameters: mini.toJSONSchema(input, { io: "input" }),
      execute: () => null,
    });
    expect(tool.spec.parameters).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });
});

it("the advice for a zod type that JSON Schema cannot express is code that makes the tool", () => {
  const schema = z.object({ at: z.date() });
  const define = (parameters?: JsonSchema) =>
    defineTool({ name: "t", description: "t", input: schema, execute: () => 1, ...(parameters && { parameters }) });
  const advice = /z\.toJSONSchema\(schema, (\{.*?\})\)/;
  let message = "";
  try {
    define();
  } catch (error) {
    message = (error as Error).message;
  }
  const [code] = advice.exec(message) ?? [];
  const parameters = new Function("z", "schema", `return ${code}`)(z, schema);
  expect(define(parameters).spec.parameters).toMatchObject({ type: "object", required: ["at"] });
});
