import type { JsonObject, JsonSchema } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import { defineTool, type ToolDefinition } from "./define-tool.ts";
import type { NoRawShape, ToolInput } from "./schema/infer-args.ts";
import type { Tool, ToolContext } from "./tool.ts";

const base = { name: "t", description: "Test tool" } as const;

test("arguments have the output type of a zod schema", () => {
  const tool = defineTool({
    ...base,
    input: z.object({ file: z.string(), limit: z.int().default(5), tags: z.array(z.string()).optional() }),
    execute(args, context) {
      expectTypeOf(args).toEqualTypeOf<{ file: string; limit: number; tags?: string[] | undefined }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
    },
    resource(args) {
      expectTypeOf(args.file).toEqualTypeOf<string>();
      return `file:${args.file}`;
    },
  });
  expectTypeOf(tool).toEqualTypeOf<Tool<"t", { file: string; limit?: number; tags?: string[] }>>();
});

test("arguments have the output type of a valibot schema", () => {
  defineTool({
    ...base,
    input: v.object({ size: v.pipe(v.string(), v.transform(Number)) }),
    parameters: { type: "object" },
    execute: (args) => expectTypeOf(args).toEqualTypeOf<{ size: number }>(),
  });
});

test("arguments have the output type of an arktype schema", () => {
  defineTool({
    ...base,
    input: type({ names: "string[]", "limit?": "number" }),
    execute: (args) => expectTypeOf(args).toEqualTypeOf<{ names: string[]; limit?: number }>(),
  });
});

test("arguments are inferred from a JSON Schema literal", () => {
  defineTool({
    ...base,
    input: {
      type: "object",
      properties: {
        file: { type: "string" },
        line: { type: "integer" },
        mode: { enum: ["fast", "slow"] },
        points: { type: "array", items: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
        rest: { anyOf: [{ type: "string" }, { type: "null" }] },
        free: { type: "object" },
      },
      required: ["file", "points"],
    },
    execute(args) {
      expectTypeOf(args.file).toEqualTypeOf<string>();
      expectTypeOf(args.line).toEqualTypeOf<number | undefined>();
      expectTypeOf(args.mode).toEqualTypeOf<"fast" | "slow" | undefined>();
      expectTypeOf(args.points).toEqualTypeOf<{ x: number }[]>();
      expectTypeOf(args.rest).toEqualTypeOf<string | null | undefined>();
      expectTypeOf(args.free).toEqualTypeOf<JsonObject | undefined>();
      // @ts-expect-error the schema declares no such property
      args.bogus;
    },
  });
});

test("arguments of a JSON Schema that is only known at run time are a JSON object", () => {
  const input: JsonSchema = JSON.parse('{"type":"object"}');
  defineTool({ ...base, input, execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>() });
});

test("an object of schemas is no input, and the error says what to write", () => {
  const execute = () => null;
  // @ts-expect-error it is z.object({ order: z.string() })
  defineTool({ ...base, input: { order: z.string() }, execute });
  const shape = { order: z.string(), limit: z.number() };
  // @ts-expect-error it is z.object(shape)
  defineTool({ ...base, input: shape, execute });
  // @ts-expect-error it is v.object({ order: v.string() })
  defineTool({ ...base, input: { order: v.string() }, execute });
  // @ts-expect-error it is type({ order: "string" })
  defineTool({ ...base, input: { order: type("string") }, execute });
  expectTypeOf<NoRawShape<typeof shape>>().toEqualTypeOf<
    StandardSchemaV1 | "an object of schemas must be wrapped: z.object(…), or what your library has for objects"
  >();
});

test("a schema may be a type parameter, or of a type that says little", () => {
  const execute = () => null;
  const ofZod = <S extends z.ZodType>(input: S) => defineTool({ ...base, input, execute });
  const ofAny = <S extends StandardSchemaV1>(input: S, run: (args: StandardSchemaV1.InferOutput<S>) => unknown) =>
    defineTool({ ...base, input, execute: run });
  const ofShape = <S extends z.ZodRawShape>(shape: S) => defineTool({ ...base, input: z.object(shape), execute });
  const ofJson = <S extends JsonSchema>(input: ToolDefinition<S>["input"]) =>
    defineTool<S>({ ...base, input, execute });
  const ofDefinition = <S extends ToolInput>(definition: ToolDefinition<S>) => defineTool({ ...definition, grace: 5 });
  expectTypeOf([ofZod, ofAny, ofShape, ofJson, ofDefinition]).toBeArray();
  defineTool({ ...base, input: z.toJSONSchema(z.object({})), execute });
  // biome-ignore lint/suspicious/noExplicitAny: what JSON.parse gives
  defineTool({ ...base, input: {} as Record<string, any>, execute });
});
