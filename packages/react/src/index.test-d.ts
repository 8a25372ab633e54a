import { argsOf, type Client, type Incomplete, type PartOf } from "@cogency/client";
import type { ToolCall } from "@cogency/protocol";
import { expectTypeOf, it } from "vitest";
import { useConversation } from "./index.ts";

type Refund = ToolCall<"refund", { order: string; amount: number; items: string[] }>;
type Lookup = ToolCall<"lookup", { order: string }>;
declare const client: Client<Refund | Lookup>;
declare const untyped: Client;

it("types parts by the calls of the client", () => {
  const { parts } = useConversation(client, "c");
  expectTypeOf(parts).toEqualTypeOf<readonly PartOf<Refund | Lookup>[]>();
});

it("narrows the arguments by the name, complete or not", () => {
  for (const part of useConversation(client, "c").parts) {
    if (part.type !== "call" || part.name !== "refund") continue;
    expectTypeOf(part.args?.amount).toEqualTypeOf<number | undefined>();
    expectTypeOf(argsOf(part)).toEqualTypeOf<Incomplete<Refund["args"]>>();
    expectTypeOf(argsOf(part).items).toEqualTypeOf<readonly string[] | undefined>();
    // @ts-expect-error: no argument of refund
    void argsOf(part).color;
  }
});

it("knows no names without types", () => {
  for (const part of useConversation(untyped, "c").parts)
    if (part.type === "call") expectTypeOf(part.name).toEqualTypeOf<string>();
});
