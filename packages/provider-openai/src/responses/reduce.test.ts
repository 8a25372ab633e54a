import type { ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { conclude, initialState, reduce, type State } from "./reduce.ts";
import type { Chunk } from "./wire.ts";

const created: Chunk = { type: "response.created", response: { status: "in_progress", usage: null } };
const completed: Chunk = { type: "response.completed", response: { status: "completed", output: [] } };
const stop: ModelEvent = { type: "finish", reason: "stop", raw: "completed" };
const called: ModelEvent = { type: "finish", reason: "tool_calls", raw: "completed" };

const text = (delta: string, output_index = 0): Chunk => ({
  type: "response.output_text.delta",
  output_index,
  content_index: 0,
  delta,
});
const message = (said: string) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: said, annotations: [] }],
});
const call = (call_id: unknown, name: string, args: unknown, status = "completed") => ({
  type: "function_call",
  id: "fc_1",
  call_id,
  name,
  arguments: args,
  status,
});
const added = (item: object, output_index = 0): Chunk => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (item: object, output_index = 0): Chunk => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const piece = (delta: string, output_index = 0): Chunk => ({
  type: "response.function_call_arguments.delta",
  output_index,
  delta,
});
const unplaced = (type: string, fields: object): Chunk => ({ type, ...fields });
const summary = (delta: string, summary_index: number): Chunk => ({
  type: "response.reasoning_summary_text.delta",
  output_index: 0,
  summary_index,
  delta,
});

describe("reduce of the Responses wire", () => {
  it.each<{ title: string; transcript: Chunk[]; events: ModelEvent[] }>([
    {
      title: "gives text in the pieces in which it comes, and nothing twice",
      transcript: [
        created,
        { type: "response.queued" },
        { type: "response.in_progress" },
        added({ ...message(""), content: [] }),
        { type: "response.content_part.added", output_index: 0, content_index: 0 },
        text("Hé"),
        text("llo"),
        { type: "response.output_text.done", output_index: 0 },
        { type: "response.content_part.done", output_index: 0 },
        done(message("Héllo")),
        completed,
      ],
      events: [{ type: "text", text: "Hé" }, { type: "text", text: "llo" }, stop],
    },
    {
      title: "takes a refusal for text",
      transcript: [
        { type: "response.refusal.delta", output_index: 0, delta: "I will " },
        { type: "response.refusal.delta", output_index: 0, delta: "not." },
        done({ type: "message", content: [{ type: "refusal", refusal: "I will not." }] }),
        completed,
      ],
      events: [{ type: "text", text: "I will " }, { type: "text", text: "not." }, stop],
    },
    {
      title: "gives the text of an item that is told only as a whole",
      transcript: [added({ type: "message" }), done(message("Hello.")), completed],
      events: [{ type: "text", text: "Hello." }, stop],
    },
    {
      title: "gives what a whole item has beyond its pieces",
      transcript: [text("Hel"), done(message("Hello.")), completed],
      events: [{ type: "text", text: "Hel" }, { type: "text", text: "lo." }, stop],
    },
    {
      title: "keeps what was streamed where the whole item differs",
      transcript: [text("Hello"), done(message("Good day.")), completed],
      events: [{ type: "text", text: "Hello" }, stop],
    },
    {
      title: "gives an answer of which only the terminal event tells",
      transcript: [
        created,
        {
          type: "response.completed",
          response: { status: "completed", output: [message("Hello."), call("call_1", "find", '{"a":1}')] },
        },
      ],
      events: [
        { type: "text", text: "Hello." },
        { type: "tool_call_delta", index: 0, id: "call_1", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: '{"a":1}' },
        { type: "tool_call", id: "call_1", name: "find", arguments: '{"a":1}' },
        called,
      ],
    },
    {
      title: "gives no piece again that the terminal event repeats at another place",
      transcript: [
        text("Hel"),
        { type: "response.completed", response: { output: [{ type: "reasoning", summary: [] }, message("Hello.")] } },
      ],
      events: [{ type: "text", text: "Hel" }, { type: "text", text: "lo." }, stop],
    },
    {
      title: "separates two messages by a blank line",
      transcript: [text("I look."), text("Found", 1), text(" it.", 1), completed],
      events: [
        { type: "text", text: "I look." },
        { type: "text", text: "\n\nFound" },
        { type: "text", text: " it." },
        stop,
      ],
    },
    {
      title: "separates the parts of a summary by a blank line",
      transcript: [summary("First", 0), summary(".", 0), summary("Second.", 1), text("42", 1), completed],
      events: [
        { type: "reasoning", text: "First" },
        { type: "reasoning", text: "." },
        { type: "reasoning", text: "\n\nSecond." },
        { type: "text", text: "42" },
        stop,
      ],
    },
    {
      title: "gives the reasoning itself where the server shows it",
      transcript: [
        { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Six times seven." },
        text("42", 1),
        completed,
      ],
      events: [{ type: "reasoning", text: "Six times seven." }, { type: "text", text: "42" }, stop],
    },
    {
      title: "gives whole calls after all deltas, in the order of the answer",
      transcript: [
        added(call("call_a", "find", ""), 0),
        added(call("call_b", "read", ""), 1),
        piece('{"x"', 1),
        piece('{"q":', 0),
        piece(":2}", 1),
        piece("1}", 0),
        done(call("call_b", "read", '{"x":2}'), 1),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"q":1}' },
        done(call("call_a", "find", '{"q":1}'), 0),
        completed,
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_a", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 1, id: "call_b", name: "read", arguments: "" },
        { type: "tool_call_delta", index: 1, arguments: '{"x"' },
        { type: "tool_call_delta", index: 0, arguments: '{"q":' },
        { type: "tool_call_delta", index: 1, arguments: ":2}" },
        { type: "tool_call_delta", index: 0, arguments: "1}" },
        { type: "tool_call", id: "call_a", name: "find", arguments: '{"q":1}' },
        { type: "tool_call", id: "call_b", name: "read", arguments: '{"x":2}' },
        called,
      ],
    },
    {
      title: "mints an id where the server's is missing, ill formed or taken",
      transcript: [
        done(call("call_1", "a", "{}"), 0),
        done(call("fc|2", "b", "{}"), 1),
        done(call("call_1", "c", "{}"), 2),
        done(call(undefined, "d", "{}"), 3),
        completed,
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_1", name: "a", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: "{}" },
        { type: "tool_call_delta", index: 1, id: "call_2", name: "b", arguments: "" },
        { type: "tool_call_delta", index: 1, arguments: "{}" },
        { type: "tool_call_delta", index: 2, id: "call_3", name: "c", arguments: "" },
        { type: "tool_call_delta", index: 2, arguments: "{}" },
        { type: "tool_call_delta", index: 3, id: "call_4", name: "d", arguments: "" },
        { type: "tool_call_delta", index: 3, arguments: "{}" },
        { type: "tool_call", id: "call_1", name: "a", arguments: "{}" },
        { type: "tool_call", id: "call_2", name: "b", arguments: "{}" },
        { type: "tool_call", id: "call_3", name: "c", arguments: "{}" },
        { type: "tool_call", id: "call_4", name: "d", arguments: "{}" },
        called,
      ],
    },
    {
      title: "reads calls whose places all have the same number, and no arguments as an empty object",
      transcript: [done(call("call_a", "find", "")), done(call("call_b", "find", "")), completed],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_a", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 1, id: "call_b", name: "find", arguments: "" },
        { type: "tool_call", id: "call_a", name: "find", arguments: "{}" },
        { type: "tool_call", id: "call_b", name: "find", arguments: "{}" },
        called,
      ],
    },
    {
      title: "learns the name of a call that was not announced when it is whole",
      transcript: [piece("{}"), done(call("call_a", "find", "{}")), completed],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_0", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: "{}" },
        { type: "tool_call", id: "call_0", name: "find", arguments: "{}" },
        called,
      ],
    },
    {
      title: "gives no call that the limit has cut off",
      transcript: [
        done(call("call_a", "find", "{}"), 0),
        added(call("call_b", "find", ""), 1),
        piece('{"q', 1),
        done(call("call_b", "find", '{"q', "incomplete"), 1),
        {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        },
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_a", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: "{}" },
        { type: "tool_call_delta", index: 1, id: "call_b", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 1, arguments: '{"q' },
        { type: "tool_call", id: "call_a", name: "find", arguments: "{}" },
        { type: "finish", reason: "length", raw: "max_output_tokens" },
      ],
    },
    {
      title: "takes no item of another kind for a call of ours, and ignores what it does not know",
      transcript: [
        added({ type: "web_search_call", id: "ws_1" }),
        { type: "response.web_search_call.searching", output_index: 0 },
        { type: "response.mcp_call_arguments.delta", output_index: 0, delta: "{}" },
        { type: "response.of_next_year", item: null },
        done({ type: "custom_tool_call", call_id: "call_x", name: "sql", input: "select" }, 1),
        text("Done.", 2),
        completed,
      ],
      events: [{ type: "text", text: "Done." }, stop],
    },
    {
      title: "tells calls apart by the names of their items where the places are missing",
      transcript: [
        unplaced("response.output_item.added", { item: { ...call("call_a", "find", ""), id: "fc_a" } }),
        unplaced("response.output_item.added", { item: { ...call("call_b", "read", ""), id: "fc_b" } }),
        unplaced("response.function_call_arguments.delta", { item_id: "fc_a", delta: '{"a":1}' }),
        unplaced("response.function_call_arguments.delta", { item_id: "fc_b", delta: '{"b":1}' }),
        unplaced("response.output_item.done", { item: { ...call("call_a", "find", '{"a":1}'), id: "fc_a" } }),
        unplaced("response.output_item.done", { item: { ...call("call_b", "read", '{"b":1}'), id: "fc_b" } }),
        completed,
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_a", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 1, id: "call_b", name: "read", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: '{"a":1}' },
        { type: "tool_call_delta", index: 1, arguments: '{"b":1}' },
        { type: "tool_call", id: "call_a", name: "find", arguments: '{"a":1}' },
        { type: "tool_call", id: "call_b", name: "read", arguments: '{"b":1}' },
        called,
      ],
    },
    {
      title: "reads arguments that are an object",
      transcript: [done(call("call_1", "find", { a: 1 })), completed],
      events: [
        { type: "tool_call_delta", index: 0, id: "call_1", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: '{"a":1}' },
        { type: "tool_call", id: "call_1", name: "find", arguments: '{"a":1}' },
        called,
      ],
    },
    {
      title: "takes what the stream left out from the end, and nothing twice",
      transcript: [
        done({ ...message("One."), id: "msg_0" }),
        { type: "response.completed", response: { output: [message("One."), call("call_1", "find", "{}")] } },
      ],
      events: [
        { type: "text", text: "One." },
        { type: "tool_call_delta", index: 0, id: "call_1", name: "find", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: "{}" },
        { type: "tool_call", id: "call_1", name: "find", arguments: "{}" },
        called,
      ],
    },
    {
      title: "takes the text that comes as a whole only, and nothing twice",
      transcript: [
        { type: "response.output_text.done", output_index: 0, text: "One." },
        text("Two.", 1),
        { type: "response.output_text.done", output_index: 1, text: "Two." },
        completed,
      ],
      events: [{ type: "text", text: "One." }, { type: "text", text: "\n\nTwo." }, stop],
    },
    {
      title: "survives what is not as documented",
      transcript: [
        { type: "response.output_item.added", item: null },
        { type: "response.output_item.done", item: [] },
        { type: "response.output_text.delta", output_index: null, delta: null },
        { type: "response.function_call_arguments.done", output_index: 0 },
        done({ type: "message", content: {} }),
        { type: "response.completed", response: null },
      ],
      events: [stop],
    },
  ])("$title", ({ transcript, events }) => {
    expect(eventsOf(transcript)).toEqual(events);
  });

  it("does not change the given state", () => {
    const [state] = take([text("One")]);
    const before = structuredClone(state);
    reduce(state, text("Two"));
    reduce(state, completed);
    expect(state).toEqual(before);
  });
});

function take(transcript: readonly Chunk[]): [State, ModelEvent[]] {
  return transcript.reduce<[State, ModelEvent[]]>(
    ([state, events], event) => {
      const [next, more] = reduce(state, event);
      return [next, [...events, ...more]];
    },
    [initialState, []],
  );
}

function eventsOf(transcript: readonly Chunk[]): ModelEvent[] {
  const [state, events] = take(transcript);
  return [...events, ...conclude(state)];
}
