import { describe, expect, it } from "vitest";
import { chatSections } from "./chat-sections.ts";
import { messagesSections } from "./messages-sections.ts";

describe("the sections of a request", () => {
  it("are those of Chat Completions, tools first, without ids and roles", () => {
    const sections = chatSections({
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Look." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", type: "function", function: { name: "read", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "1", content: "a door" },
      ],
      tools: [{ type: "function", function: { name: "read" } }],
    });
    expect(sections).toEqual([
      { kind: "tool", text: '{"name":"read"}' },
      { kind: "system", text: "Be brief." },
      { kind: "user", text: "Look." },
      { kind: "call", text: '{"name":"read","arguments":"{}"}' },
      { kind: "result", text: "a door" },
    ]);
  });

  it("are the blocks of Messages, with their marks", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const sections = messagesSections({
      system: [{ type: "text", text: "Be brief.", ...mark }],
      tools: [{ name: "read", input_schema: {} }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Look." }] },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "a door", ...mark }] },
      ],
    });
    expect(sections).toEqual([
      { kind: "tool", text: '{"name":"read","input_schema":{}}', isMarked: false },
      { kind: "system", text: "Be brief.", isMarked: true },
      { kind: "user", text: "Look.", isMarked: false },
      { kind: "call", text: '{"name":"read","input":{}}', isMarked: false },
      { kind: "result", text: "a door", isMarked: true },
    ]);
  });
});
