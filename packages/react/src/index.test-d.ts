import { argsOf, type Incomplete, type PartOf } from "@cogency/client";
import type { ToolCall } from "@cogency/protocol";
import { expectTypeOf, it } from "vitest";
import type { ConversationView, useConversation } from "./index.ts";

type Refund = ToolCall<"refund", { order: string; amount: number; items: string[] }>;
type Lookup = ToolCall<"lookup", { order: string }>;
declare const typed: ReturnType<typeof useConversation<Refund | Lookup>>;
declare const untyped: ConversationView;

it("types parts by the calls of the client", () => {
  expectTypeOf(typed.parts).toEqualTypeOf<readonly PartOf<Refund | Lookup>[]>();
});

it("narrows the arguments by the name, complete or not", () => {
  for (const part of typed.parts) {
    if (part.type !== "call" || part.name !== "refund") continue;
    expectTypeOf(part.args?.amount).toEqualTypeOf<number | undefined>();
    expectTypeOf(argsOf(part)).toEqualTypeOf<Incomplete<Refund["args"]>>();
    expectTypeOf(argsOf(part).items).toEqualTypeOf<readonly string[] | undefined>();
    // @ts-expect-error: no argument of refund
    void argsOf(part).color;
  }
});

it("knows no names without types", () => {
  for (const part of untyped.parts) if (part.type === "call") expectTypeOf(part.name).toEqualTypeOf<string>();
});
