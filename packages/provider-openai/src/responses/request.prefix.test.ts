import type { ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { inPieces, type ModelReply, startWireServer } from "@cogency/provider/testkit";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished } from "vitest";
import { responsesProvider, responsesWire } from "../../test/support/responses-wire.ts";

const turns = 10;
const tools: ToolSpec[] = [{ name: "find", description: "Finds.", parameters: { type: "object" } }];

describe("ten turns on the Responses wire", () => {
  it("send inputs of which each is a byte prefix of the next, with the items of every answer unchanged", async () => {
    const server = await startWireServer();
    onTestFinished(() => server.close());
    const { name, model, stream } = responsesProvider({ url: server.url, apiKey: "key-of-the-test" });

    const messages: ModelMessage[] = [];
    for (let turn = 0; turn < turns; turn++) {
      messages.push({ role: "user", content: `Question ${turn}` });
      server.respond(inPieces(responsesWire.answer(replyOf(turn))));
      const events = await collect(stream({ system: "Be brief.", messages, tools }));
      messages.push(...spoken(events, { provider: name, model }));
    }

    const inputs = server.exchanges.map(({ request: { body } }) => inputOf(body));
    for (const [turn, input] of inputs.entries()) {
      expect((inputs[turn + 1] ?? input).startsWith(input)).toBe(true);
    }
    for (const [turn, input] of inputs.slice(1).entries()) {
      expect(input).toContain(itemsOf(responsesWire.answer(replyOf(turn))));
    }
  });
});

/** Reasoning, text and two calls. */
function replyOf(turn: number): ModelReply {
  return {
    parts: [
      { type: "reasoning", text: `Thought ${turn}` },
      { type: "text", text: `Answer ${turn}` },
      { type: "call", id: `call_${turn}_a`, name: "find", pieces: [`{"q":`, `${turn}}`] },
      { type: "call", id: `call_${turn}_b`, name: "find", pieces: ["{}"] },
    ],
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: "tool_calls",
  };
}

/** What the log makes of the events of an answer. */
function spoken(events: readonly ModelEvent[], from: { provider: string; model: string }): ModelMessage[] {
  const calls = events.flatMap((event) =>
    event.type === "tool_call" ? [{ id: event.id, name: event.name, args: JSON.parse(event.arguments) }] : [],
  );
  const finish = events.at(-1);
  const native =
    finish?.type === "finish" && finish.native !== undefined ? { ...from, data: finish.native } : undefined;
  return [
    { role: "assistant", content: textOf(events), calls, ...(native ? { native } : {}) },
    { role: "tool", results: calls.map(({ id, name }) => ({ id, name, content: `found by ${id}`, failed: false })) },
  ];
}

/** The bytes of the list, up to the bracket that closes it. */
function inputOf(body: string): string {
  const start = body.indexOf('"input":[');
  const end = body.indexOf('],"tools":');
  expect(start).toBeGreaterThan(0);
  expect(end).toBeGreaterThan(start);
  return body.slice(start, end);
}

/** The bytes of the output items, as the terminal event holds them. */
function itemsOf(frames: readonly string[]): string {
  const { response } = JSON.parse(frames.at(-1)?.split("data: ")[1] ?? "");
  return JSON.stringify(response.output).slice(1, -1);
}
