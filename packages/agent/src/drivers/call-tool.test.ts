import type { LogEvent, ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { WrappedCalls } from "./call-tool.ts";

const tools = [{ name: "find_tools", description: "Find.", parameters: {} }];
const user = (content: string): ModelMessage => ({ role: "user", content });
const call = (id: string, name: string): ModelMessage => ({
  role: "assistant",
  content: "",
  calls: [{ id, name, args: { id } }],
});
const result = (id: string, name: string): ModelMessage => ({
  role: "tool",
  results: [{ id, name, content: "done", failed: false }],
});

describe("the calls of tools that a model does not have", () => {
  const messages = [
    user("go"),
    call("1", "find_tools"),
    result("1", "find_tools"),
    call("2", "pay"),
    result("2", "pay"),
  ];

  it("are written as calls of call_tool, and so are their results; everything else stays as it is", () => {
    const given = structuredClone(messages);
    const wrapped = new WrappedCalls().in(given, { log: [], tools });
    expect(wrapped.slice(3)).toEqual([
      {
        role: "assistant",
        content: "",
        calls: [{ id: "2", name: "call_tool", args: { name: "pay", arguments: { id: "2" } } }],
      },
      result("2", "call_tool"),
    ]);
    for (const index of [0, 1, 2]) expect(wrapped[index]).toBe(given[index]);
    expect(given).toEqual(messages);
  });

  it("are written once: a message that the step before had is the same object", () => {
    const log: LogEvent[] = [];
    const calls = new WrappedCalls();
    const before = calls.in(messages.slice(0, 4), { log, tools });
    // The open turn at the end is made anew in every step.
    const after = calls.in([...messages.slice(0, 3), call("3", "pay"), result("3", "pay")], { log, tools });
    for (const index of [0, 1, 2]) expect(after[index]).toBe(before[index]);
    expect(after.slice(3)).toMatchObject([{ calls: [{ id: "3", name: "call_tool" }] }, { results: [{ id: "3" }] }]);
    const longer = [...messages, user("more")];
    const more = calls.in(longer, { log, tools });
    const last = calls.in([...longer, call("4", "pay")], { log, tools });
    for (const index of more.keys()) expect(last[index]).toBe(more[index]);
    expect(before).toHaveLength(4);
  });

  it("of two conversations do not meet", () => {
    const calls = new WrappedCalls();
    const one = calls.in(messages, { log: [], tools });
    const other = calls.in([user("other"), ...messages.slice(1)], { log: [], tools });
    expect(one[0]).toEqual(user("go"));
    expect(other[0]).toEqual(user("other"));
  });
});
