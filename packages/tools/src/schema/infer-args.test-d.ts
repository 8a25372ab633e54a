import type { Json, JsonObject } from "@cogency/protocol";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod3";
import { defineTool } from "../define-tool.ts";

const base = { name: "t", description: "Test tool" };
const parameters = { type: "object" };

/** What the same schema means in each library: `execute` sees its output. */
interface Expected {
  file: string;
  note: string | null;
  limit: number;
  tags: string[];
  range: { from: number; unit: "line" | "byte" };
  target: { kind: "id"; id: number } | { kind: "name"; name: string };
  size: number;
  deep?: { inner?: string | undefined } | undefined;
}

interface ExpectedOfArktype extends Omit<Expected, "deep"> {
  deep?: { inner?: string };
}

describe("execute's arguments are those of", () => {
  test("zod 4", () => {
    const input = z.object({
      file: z.string(),
      note: z.nullable(z.string()),
      limit: z.int().default(5),
      tags: z.array(z.string()),
      range: z.object({ from: z.number(), unit: z.enum(["line", "byte"]) }),
      target: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("id"), id: z.number() }),
        z.object({ kind: z.literal("name"), name: z.string() }),
      ]),
      size: z.string().transform(Number),
      deep: z.object({ inner: z.string().optional() }).optional(),
    });
    defineTool({ ...base, input, execute: (args) => expectTypeOf(args).toEqualTypeOf<Expected>() });
  });

  test("zod/mini", () => {
    const input = mini.object({
      file: mini.string(),
      note: mini.nullable(mini.string()),
      limit: mini._default(mini.int(), 5),
      tags: mini.array(mini.string()),
      range: mini.object({ from: mini.number(), unit: mini.enum(["line", "byte"]) }),
      target: mini.discriminatedUnion("kind", [
        mini.object({ kind: mini.literal("id"), id: mini.number() }),
        mini.object({ kind: mini.literal("name"), name: mini.string() }),
      ]),
      size: mini.pipe(mini.string(), mini.transform(Number)),
      deep: mini.optional(mini.object({ inner: mini.optional(mini.string()) })),
    });
    defineTool({ ...base, input, parameters, execute: (args) => expectTypeOf(args).toEqualTypeOf<Expected>() });
  });

  test("zod 3", () => {
    const input = z3.object({
      file: z3.string(),
      note: z3.string().nullable(),
      limit: z3.number().int().default(5),
      tags: z3.array(z3.string()),
      range: z3.object({ from: z3.number(), unit: z3.enum(["line", "byte"]) }),
      target: z3.discriminatedUnion("kind", [
        z3.object({ kind: z3.literal("id"), id: z3.number() }),
        z3.object({ kind: z3.literal("name"), name: z3.string() }),
      ]),
      size: z3.string().transform(Number),
      deep: z3.object({ inner: z3.string().optional() }).optional(),
    });
    defineTool({ ...base, input, parameters, execute: (args) => expectTypeOf(args).toEqualTypeOf<Expected>() });
  });

  test("valibot", () => {
    const input = v.object({
      file: v.string(),
      note: v.nullable(v.string()),
      limit: v.optional(v.number(), 5),
      tags: v.array(v.string()),
      range: v.object({ from: v.number(), unit: v.picklist(["line", "byte"]) }),
      target: v.variant("kind", [
        v.object({ kind: v.literal("id"), id: v.number() }),
        v.object({ kind: v.literal("name"), name: v.string() }),
      ]),
      size: v.pipe(v.string(), v.transform(Number)),
      deep: v.optional(v.object({ inner: v.optional(v.string()) })),
    });
    defineTool({ ...base, input, parameters, execute: (args) => expectTypeOf(args).toEqualTypeOf<Expected>() });
  });

  test("arktype, where an optional key is not one that may be undefined", () => {
    const input = type({
      file: "string",
      note: "string | null",
      limit: "number = 5",
      tags: "string[]",
      range: { from: "number", unit: "'line' | 'byte'" },
      target: type({ kind: "'id'", id: "number" }).or({ kind: "'name'", name: "string" }),
      size: "string.numeric.parse",
      "deep?": { "inner?": "string" },
    });
    defineTool({
      ...base,
      input,
      parameters,
      execute: (args) => expectTypeOf(args).toEqualTypeOf<ExpectedOfArktype>(),
    });
  });

  test("a JSON Schema literal, whose defaults are filled in", () => {
    defineTool({
      ...base,
      input: {
        type: "object",
        properties: {
          file: { type: "string" },
          note: { type: ["string", "null"] },
          limit: { type: "integer", default: 5 },
          tags: { type: "array", items: { type: "string" } },
          range: {
            type: "object",
            properties: { from: { type: "number" }, unit: { enum: ["line", "byte"] } },
            required: ["from", "unit"],
          },
          target: {
            oneOf: [
              {
                type: "object",
                properties: { kind: { const: "id" }, id: { type: "number" } },
                required: ["kind", "id"],
              },
              {
                type: "object",
                properties: { kind: { const: "name" }, name: { type: "string" } },
                required: ["kind", "name"],
              },
            ],
          },
          deep: { type: "object", properties: { inner: { type: "string" } } },
        },
        required: ["file", "note", "tags", "range", "target"],
      },
      execute: (args) =>
        expectTypeOf(args).toEqualTypeOf<{
          file: string;
          note: string | null;
          limit: number;
          tags: string[];
          range: { from: number; unit: "line" | "byte" };
          target: { kind: "id"; id: number } | { kind: "name"; name: string };
          deep?: { inner?: string };
        }>(),
    });
  });
});

test("the rest of a JSON Schema literal is JSON of the shape that is known", () => {
  defineTool({
    ...base,
    input: {
      type: "object",
      properties: {
        either: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        byName: { type: "object", additionalProperties: { type: "integer" } },
        free: { type: "object" },
        list: { type: "array" },
        open: { type: "array", items: true },
        reference: { $ref: "#/$defs/x" },
        fixed: { const: { a: [1, "x"] } },
        flag: { type: ["boolean", "null"] },
      },
      required: ["either", "byName", "free", "list", "open", "reference", "fixed", "flag"],
    },
    execute(args) {
      expectTypeOf(args.either).toEqualTypeOf<string | string[]>();
      expectTypeOf(args.byName).toEqualTypeOf<{ [key: string]: number }>();
      expectTypeOf(args.free).toEqualTypeOf<JsonObject>();
      expectTypeOf(args.list).toEqualTypeOf<Json[]>();
      expectTypeOf(args.open).toEqualTypeOf<Json[]>();
      expectTypeOf(args.reference).toEqualTypeOf<Json>();
      expectTypeOf(args.fixed).toEqualTypeOf<{ a: [1, "x"] }>();
      expectTypeOf(args.flag).toEqualTypeOf<boolean | null>();
    },
  });
});

test("a default is there where it is filled in, and below an alternative it is not", () => {
  const page = { type: "object", properties: { x: { type: "number", default: 1 } } } as const;
  const pages = { type: "array", items: page } as const;
  defineTool({
    ...base,
    input: {
      type: "object",
      properties: {
        certain: page,
        either: { anyOf: [page, { type: "null" }] },
        one: { oneOf: [pages, { type: "object", additionalProperties: page }] },
        beside: { anyOf: [page, { type: "null" }], default: {} },
        deep: { anyOf: [{ type: "object", properties: { inner: pages }, required: ["inner"] }] },
      },
      required: ["certain", "either", "one", "deep"],
    },
    execute(args) {
      expectTypeOf(args.certain).toEqualTypeOf<{ x: number }>();
      expectTypeOf(args.either).toEqualTypeOf<{ x?: number } | null>();
      expectTypeOf(args.one).toEqualTypeOf<{ x?: number }[] | { [key: string]: { x?: number } }>();
      expectTypeOf(args.beside).toEqualTypeOf<{ x?: number } | null>();
      expectTypeOf(args.deep).toEqualTypeOf<{ inner: { x?: number }[] }>();
    },
  });
});

describe("sixty properties, six levels deep, are not too deep for", () => {
  test("zod 4", () => {
    const input = zodWide(zodWide(zodWide(zodWide(zodWide(zodWide(z.string()))))));
    defineTool({
      ...base,
      input,
      execute(args) {
        expectTypeOf(args.inner.inner.inner.inner.inner.inner).toEqualTypeOf<string>();
        expectTypeOf(args.inner.inner.p59).toEqualTypeOf<number | undefined>();
      },
    });
  });

  test("a JSON Schema literal", () => {
    defineTool({
      ...base,
      input: jsonWide(jsonWide(jsonWide(jsonWide(jsonWide(jsonWide({ type: "string" })))))),
      execute(args) {
        expectTypeOf(args.inner.inner.inner.inner.inner.inner).toEqualTypeOf<string>();
        expectTypeOf(args.inner.inner.p59).toEqualTypeOf<number | undefined>();
      },
    });
  });
});

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Sixty of them. */
type PropertyName = `p${0 | 1 | 2 | 3 | 4 | 5}${Digit}`;

declare const zodNumbers: Record<PropertyName, z.ZodOptional<z.ZodNumber>>;
declare const jsonNumbers: Record<PropertyName, { readonly type: "integer" }>;

function zodWide<const Inner extends z.ZodType>(inner: Inner) {
  return z.object({ inner, ...zodNumbers });
}

function jsonWide<const Inner>(inner: Inner) {
  return { type: "object", properties: { inner, ...jsonNumbers }, required: ["inner"] } as const;
}
