import type { ToolCall } from "@cogency/protocol";
import { expectTypeOf } from "vitest";
import { argsOf, type CallPartOf, createClient, type Incomplete, type Part, type PartOf } from "./index.ts";

type Call =
  | ToolCall<"refund", { order: string; lines: { sku: string; count: number }[]; why: "late" | "broken" }>
  | ToolCall<"look", { file: string }>;

declare const part: PartOf<Call>;

if (part.type === "call" && part.name === "refund") {
  expectTypeOf(part.args).toEqualTypeOf<
    { order: string; lines: { sku: string; count: number }[]; why: "late" | "broken" } | undefined
  >();
  const args = argsOf(part);
  expectTypeOf(args.order).toEqualTypeOf<string | undefined>();
  // A text may be cut.
  expectTypeOf(args.why).toEqualTypeOf<string | undefined>();
  expectTypeOf(args.lines?.[0]?.count).toEqualTypeOf<number | undefined>();
}
if (part.type === "call" && part.name === "look") expectTypeOf(argsOf(part).file).toEqualTypeOf<string | undefined>();
if (part.type === "text") expectTypeOf(part.content).toEqualTypeOf<string>();

// @ts-expect-error no tool has this name
if (part.type === "call" && part.name === "refnd") part.args;

// Without the calls of tools, any name goes.
expectTypeOf<CallPartOf>().toExtend<Extract<Part, { type: "call" }>>();
declare const any: PartOf;
if (any.type === "call") argsOf(any);
expectTypeOf<Incomplete<null | 5>>().toEqualTypeOf<null | 5>();

const talk = createClient<Call>({ url: "/api" }).conversation("c");
expectTypeOf(talk.snapshot.parts[0]).toEqualTypeOf<PartOf<Call> | undefined>();
