import type { Json, JsonObject, JsonSchema, ToolCall } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import type { CallOf, Tool } from "../tool.ts";
import type { CallArgs } from "./call-args.ts";

const execute = () => null;
const description = "Test tool";

test("the calls of a tool have its name, and the arguments as they are before the schema changes them", () => {
  const input = z.object({ size: z.string().transform(Number), unit: z.string().default("cm") });
  const measure = defineTool({ name: "measure", description, input, execute });
  expectTypeOf<CallOf<typeof measure>>().toEqualTypeOf<ToolCall<"measure", { size: string; unit?: string }>>();
});

test("each library of schemas gives the type of its input", () => {
  const ofValibot = v.object({ size: v.pipe(v.string(), v.transform(Number)), note: v.optional(v.string()) });
  expectTypeOf<CallArgs<typeof ofValibot>>().toEqualTypeOf<{ size: string; note?: string }>();
  const ofArktype = type({ names: "string[]", "limit?": "number" });
  expectTypeOf<CallArgs<typeof ofArktype>>().toEqualTypeOf<{ names: string[]; limit?: number }>();
  expectTypeOf<
    CallArgs<{
      type: "object";
      properties: { n: { type: "integer"; default: 5 }; tags: { type: "array"; items: { type: "string" } } };
      required: ["tags"];
    }>
  >().toEqualTypeOf<{ n?: number; tags: string[] }>();
});

test("arguments are JSON, whatever the library says of them", () => {
  interface Place {
    readonly city: string;
    readonly tags: readonly string[];
    street?: string | undefined;
    parts: Place[];
  }
  const input = z.object({ amount: z.coerce.number(), raw: z.unknown(), place: z.custom<Place>() });
  type Args = CallArgs<typeof input>;
  expectTypeOf<Args>().toExtend<JsonObject>();
  expectTypeOf<Args["amount"]>().toEqualTypeOf<Json>();
  expectTypeOf<Args["place"]["tags"]>().toEqualTypeOf<string[]>();
  expectTypeOf<Args["place"]["parts"][number]["street"]>().toEqualTypeOf<string | undefined>();
  const choice = z.discriminatedUnion("by", [
    z.object({ by: z.literal("id"), id: z.int() }),
    z.object({ by: z.literal("name"), name: z.string().optional() }),
  ]);
  expectTypeOf<CallArgs<typeof choice>>().toEqualTypeOf<{ by: "id"; id: number } | { by: "name"; name?: string }>();
});

test("arguments of a schema that is only known at run time are a JSON object", () => {
  expectTypeOf<CallArgs<JsonSchema>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<CallArgs<StandardSchemaV1>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<CallArgs<z.ZodType>>().toEqualTypeOf<JsonObject>();
  // biome-ignore lint/suspicious/noExplicitAny: what JSON.parse gives
  expectTypeOf<CallArgs<Record<string, any>>>().toEqualTypeOf<JsonObject>();
});

test("every tool is a Tool, also one whose schema or name is a type parameter", () => {
  const generic = <S extends z.ZodType, N extends string>(name: N, input: S): Tool[] => [
    defineTool({ name, description, input, execute }),
  ];
  const named = <N extends string>(name: N) => defineTool({ name, description, input: z.object({}), execute });
  expectTypeOf(generic).returns.toEqualTypeOf<Tool[]>();
  expectTypeOf(named("look").name).toEqualTypeOf<"look">();
  const any: Tool = defineTool({ name: "t", description, input: z.object({ n: z.bigint() }), execute });
  expectTypeOf<CallOf<typeof any>>().toEqualTypeOf<ToolCall>();
  expectTypeOf(
    defineTool({ name: "t" as string, description, input: { type: "object" }, execute }),
  ).toEqualTypeOf<Tool>();
  // @ts-expect-error one tool is not another
  const other: Tool<"other"> = defineTool({ name: "t", description, input: { type: "object" }, execute });
  expectTypeOf(other).toExtend<Tool>();
});
