import { expect, it } from "vitest";
import type { ModelEvent } from "./provider.ts";
import { type ScriptedResponse, scripted } from "./scripted.ts";
import { type ModelReply, runProviderConformance, withoutWire } from "./testkit/index.ts";

it("the scripted model keeps the contract of a provider", async () => {
  const capabilities = { tools: true, reasoning: true };
  const { table } = await runProviderConformance("scripted", () => ({
    provider: (reply?: ModelReply) =>
      scripted([reply ? scriptOf(reply) : ["One, ", "two, ", "three."]], { capabilities }),
    declare: withoutWire,
  }));
  console.log(table);
  expect(table).toMatch(/^scripted: \d+ passed, \d+ declared$/m);
});

function scriptOf({ parts, usage, finish }: ModelReply): ScriptedResponse {
  let index = 0;
  const events = parts.flatMap((part): ModelEvent[] => {
    if (part.type !== "call") return [part];
    const { id, name, pieces } = part;
    const at = index++;
    const deltas = pieces.map((json): ModelEvent => ({ type: "tool_call_delta", index: at, arguments: json }));
    return [...deltas, { type: "tool_call", id, name, arguments: pieces.join("") || "{}" }];
  });
  return { events, usage, finish };
}
