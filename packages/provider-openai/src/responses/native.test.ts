import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { nativeOf, replay as replayFrom } from "./native.ts";
import { createRefusals } from "./refusals.ts";

const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
const message = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "I look.\n" }] };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "find", arguments: '{"q": 1}' };
const search = { type: "web_search_call", id: "ws_1", status: "completed" };
const sql = { type: "custom_tool_call", call_id: "call_x", name: "sql", input: "select" };

describe("nativeOf", () => {
  it.each<{ title: string; items: JsonObject[] }>([
    { title: "reasoning", items: [reasoning, message] },
    { title: "what a hosted tool did", items: [search, message] },
    { title: "the phase of a message", items: [{ ...message, phase: "commentary" }] },
    { title: "what says who calls", items: [{ ...call, namespace: "crm" }] },
    { title: "reasoning that the server shows", items: [{ type: "reasoning", content: [{ text: "Hm." }] }, call] },
    { title: "a call that the server has answered itself", items: [sql, { type: "custom_out", call_id: "call_x" }] },
  ])("keeps $title", ({ items }) => {
    expect(nativeOf(items)).toEqual(items);
  });

  it.each<{ title: string; items: JsonObject[] }>([
    { title: "says no more than the events", items: [message, call] },
    { title: "is empty", items: [] },
    { title: "ends with reasoning, which must be followed by something", items: [message, reasoning] },
    { title: "refers to reasoning that was not stored", items: [{ ...reasoning, encrypted_content: null }, message] },
    { title: "has an id that is longer than the server takes", items: [reasoning, { ...message, id: "m".repeat(65) }] },
    { title: "has a call that nobody answers", items: [reasoning, sql] },
    { title: "has a picture, which is not taken back", items: [{ type: "image_generation_call" }, message] },
  ])("keeps nothing of an answer that $title", ({ items }) => {
    expect(nativeOf(items)).toBeUndefined();
  });
});

describe("replay", () => {
  const items = [reasoning, message, call];
  const said = (data: Json, changes: Partial<AssistantMessage> = {}): AssistantMessage => ({
    role: "assistant",
    content: "I look.",
    calls: [{ id: "call_1", name: "find", args: { q: 1 } }],
    native: { provider: "openai", model: "m", data },
    ...changes,
  });

  it("returns the items unchanged if they match the message", () => {
    expect(JSON.stringify(replay(said(items)))).toBe(JSON.stringify(items));
  });

  it("gives a call the id that the log has", () => {
    const calls = [{ id: "call_9", name: "find", args: { q: 1 } }];
    expect(replay(said(items, { calls }))).toEqual([reasoning, message, { ...call, call_id: "call_9" }]);
  });

  it("reads missing arguments as an empty object", () => {
    const calls = [{ id: "call_1", name: "find", args: {} }];
    const bare = { ...call, arguments: "" };
    expect(replay(said([reasoning, message, bare], { calls }))).toEqual([reasoning, message, bare]);
  });

  it("replaces half characters in arguments, which neither the log nor a request may hold", () => {
    const half = { ...call, arguments: '{"q":"\\ud800"}' };
    const whole = { ...call, arguments: '{"q":"\ufffd"}' };
    const calls = [{ id: "call_1", name: "find", args: { q: "\ufffd" } }];
    expect(replay(said([reasoning, message, half], { calls }))).toEqual([reasoning, message, whole]);
  });

  it.each<{ title: string; message: AssistantMessage }>([
    { title: "another text", message: said(items, { content: "I read." }) },
    {
      title: "no calls",
      message: { role: "assistant", content: "I look.", native: { provider: "openai", model: "m", data: items } },
    },
    { title: "another call", message: said(items, { calls: [{ id: "call_1", name: "read", args: { q: 1 } }] }) },
    { title: "other arguments", message: said(items, { calls: [{ id: "call_1", name: "find", args: { q: 2 } }] }) },
    {
      title: "one more call",
      message: said(items, {
        calls: [
          { id: "call_1", name: "find", args: { q: 1 } },
          { id: "call_2", name: "find", args: { q: 1 } },
        ],
      }),
    },
    { title: "arguments that are not JSON", message: said([reasoning, message, { ...call, arguments: "{" }]) },
    { title: "nothing that could be items", message: said({ items: [] }) },
    { title: "no items", message: said([], { content: "", calls: [] }) },
    { title: "items that are none", message: said(["reasoning"]) },
  ])("returns undefined for a message with $title", ({ message }) => {
    expect(replay(message)).toBeUndefined();
  });
});

function replay(message: AssistantMessage) {
  return replayFrom(message, { name: "openai", model: "m", refusals: createRefusals() });
}
