import { describe, expect, it } from "vitest";
import { chatWire } from "./chat-wire.ts";
import { messagesWire } from "./messages-wire.ts";
import { said } from "./reply.ts";
import { responsesWire } from "./responses-wire.ts";
import type { Wire, WireEvent } from "./wire.ts";

const schema = { type: "object", properties: { command: { type: "string" }, background: { type: "boolean" } } };
const call = { name: "run", args: { command: "ls" } };

/** A conversation in the words of each wire, and what a reply leaves in its events. */
const wires: Record<string, { wire: Wire; request: Record<string, unknown>; text: RegExp; call: RegExp }> = {
  "Chat Completions": {
    wire: chatWire,
    request: {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Look." },
        { role: "assistant", tool_calls: [{ id: "1", function: { name: "run", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "a.txt" }] },
      ],
      tools: [{ type: "function", function: { name: "run", parameters: schema } }],
    },
    text: /"delta":\{"content":"Hi\."\}/,
    call: /"function":\{"name":"run","arguments":"\{\\"command\\":\\"ls\\"\}"\}/,
  },
  Responses: {
    wire: responsesWire,
    request: {
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Look." }] },
        { type: "function_call", name: "run", arguments: "{}", call_id: "1" },
        { type: "function_call_output", call_id: "1", output: "a.txt" },
      ],
      tools: [{ type: "function", name: "run", parameters: schema }],
    },
    text: /"type":"response.output_text.delta",[^}]*"delta":"Hi\."/,
    call: /"name":"run",[^}]*"type":"function_call","arguments":"\{\\"command\\":\\"ls\\"\}"/,
  },
  Messages: {
    wire: messagesWire,
    request: {
      messages: [
        { role: "user", content: "Look." },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "run", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "a.txt" }] }],
        },
      ],
      tools: [{ name: "run", input_schema: schema }],
    },
    text: /"delta":\{"type":"text_delta","text":"Hi\."\}/,
    call: /"name":"run"[\s\S]*"partial_json":"\{\\"command\\":\\"ls\\"\}"/,
  },
};

describe.each(Object.entries(wires))("%s", (_name, { wire, request, text, call: called }) => {
  it("is read as what the user and the tools said, and which tools are offered", () => {
    expect(wire.read(request)).toEqual({
      tools: [{ name: "run", takes: ["command", "background"] }],
      said: [
        { by: "user", text: "Look." },
        { by: "tool", text: "a.txt" },
      ],
    });
  });

  it("offers no tools where a request has none, as for a title", () => {
    expect(wire.read({ ...request, tools: undefined }).tools).toEqual([]);
  });

  it("carries a text", async () => {
    expect(await sent(wire.write(said("Hi."), "7"))).toMatch(text);
  });

  it("carries a call", async () => {
    expect(await sent(wire.write({ kind: "call", call }, "7"))).toMatch(called);
  });
});

async function sent(events: AsyncIterable<WireEvent>): Promise<string> {
  const lines: string[] = [];
  for await (const event of events) lines.push(JSON.stringify(event));
  return lines.join("\n");
}
