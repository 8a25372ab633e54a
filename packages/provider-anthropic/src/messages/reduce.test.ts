import type { Usage } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { endOfAnswer } from "@cogency/provider/http";
import { describe, expect, it } from "vitest";
import { conclude, initialState, pausedContent, reduce, resume, type State, textOf, usageOfAborted } from "./reduce.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Good morning." }] };
const usage: Usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const begin = { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } };
const start = (content_block: object, index = 0) => ({ type: "content_block_start", index, content_block });
const delta = (delta: object, index = 0) => ({ type: "content_block_delta", index, delta });
const stop = (index = 0) => ({ type: "content_block_stop", index });
const end = (stop_reason: string | null) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

function take(chunks: readonly unknown[], from: State = initialState): { state: State; events: ModelEvent[] } {
  const events: ModelEvent[] = [];
  let state = from;
  for (const chunk of chunks) {
    const [next, told] = reduce(state, chunk);
    state = next;
    events.push(...told);
  }
  return { state, events };
}

function answer(chunks: readonly unknown[]): ModelEvent[] {
  const { state, events } = take(chunks);
  return [...events, ...conclude(state)];
}

interface Transcript {
  what: string;
  chunks: readonly unknown[];
  events: ModelEvent[];
}

const transcripts: Transcript[] = [
  {
    what: "text in pieces",
    chunks: [
      begin,
      start({ type: "text", text: "" }),
      { type: "ping" },
      delta({ type: "text_delta", text: "Hel" }),
      delta({ type: "text_delta", text: "lo" }),
      stop(),
      ...end("end_turn"),
    ],
    events: [
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      { type: "usage", usage },
      { type: "finish", reason: "stop", raw: "end_turn" },
    ],
  },
  {
    what: "text that stands in the beginning of its block",
    chunks: [begin, start({ type: "text", text: "Hi" }), stop(), ...end("end_turn")],
    events: [
      { type: "text", text: "Hi" },
      { type: "usage", usage },
      { type: "finish", reason: "stop", raw: "end_turn" },
    ],
  },
  {
    what: "thinking, whose block with its signature is native",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "", signature: "" }),
      delta({ type: "thinking_delta", thinking: "Six " }),
      delta({ type: "thinking_delta", thinking: "times." }),
      delta({ type: "signature_delta", signature: "c2ln" }),
      stop(),
      start({ type: "redacted_thinking", data: "ZGF0YQ==" }, 1),
      stop(1),
      start({ type: "text", text: "" }, 2),
      delta({ type: "text_delta", text: "42" }, 2),
      stop(2),
      ...end("end_turn"),
    ],
    events: [
      { type: "reasoning", text: "Six " },
      { type: "reasoning", text: "times." },
      { type: "text", text: "42" },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "thinking", thinking: "Six times.", signature: "c2ln" },
          { type: "redacted_thinking", data: "ZGF0YQ==" },
          { type: "text", text: "42" },
        ],
      },
    ],
  },
  {
    what: "thinking that is kept back, of which only the signature comes",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "", signature: "" }),
      delta({ type: "signature_delta", signature: "c2ln" }),
      stop(),
      start({ type: "text", text: "42" }, 1),
      ...end("end_turn"),
    ],
    events: [
      { type: "text", text: "42" },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "thinking", thinking: "", signature: "c2ln" },
          { type: "text", text: "42" },
        ],
      },
    ],
  },
  {
    what: "a signature that is told twice, which is one",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "Hm.", signature: "c2ln" }),
      delta({ type: "signature_delta", signature: "c2ln" }),
      start({ type: "text", text: "42" }, 1),
      ...end("end_turn"),
    ],
    events: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "42" },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "text", text: "42" },
        ],
      },
    ],
  },
  {
    what: "thinking that nothing but white space follows, which no server would take back",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "Hm.", signature: "c2ln" }),
      start({ type: "redacted_thinking", data: "ZA==" }, 1),
      start({ type: "text", text: " " }, 2),
      ...end("end_turn"),
    ],
    events: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: " " },
      { type: "usage", usage },
      { type: "finish", reason: "stop", raw: "end_turn" },
    ],
  },
  {
    what: "thinking that was cut before its signature, which no server would take back",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "", signature: "" }),
      delta({ type: "thinking_delta", thinking: "Six" }),
      stop(),
      ...end("max_tokens"),
    ],
    events: [
      { type: "reasoning", text: "Six" },
      { type: "usage", usage },
      { type: "finish", reason: "length", raw: "max_tokens" },
    ],
  },
  {
    what: "parallel tool calls, the second without arguments",
    chunks: [
      begin,
      start({ type: "tool_use", id: "toolu_1", name: "weather", input: {} }),
      delta({ type: "input_json_delta", partial_json: "" }),
      delta({ type: "input_json_delta", partial_json: '{"city":' }),
      delta({ type: "input_json_delta", partial_json: '"Oslo"}' }),
      stop(),
      start({ type: "tool_use", id: "toolu_2", name: "time", input: {} }, 1),
      stop(1),
      ...end("tool_use"),
    ],
    events: [
      { type: "tool_call_delta", index: 0, id: "toolu_1", name: "weather", arguments: "" },
      { type: "tool_call_delta", index: 0, arguments: '{"city":' },
      { type: "tool_call_delta", index: 0, arguments: '"Oslo"}' },
      { type: "tool_call_delta", index: 1, id: "toolu_2", name: "time", arguments: "" },
      { type: "tool_call", id: "toolu_1", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "tool_call", id: "toolu_2", name: "time", arguments: "{}" },
      { type: "usage", usage },
      { type: "finish", reason: "tool_calls", raw: "tool_use" },
    ],
  },
  {
    what: "a tool call that is cut off before its arguments, which are not none then",
    chunks: [
      begin,
      start({ type: "thinking", thinking: "", signature: "c2ln" }),
      start({ type: "tool_use", id: "a", name: "time", input: {} }, 1),
      stop(1),
      start({ type: "tool_use", id: "b", name: "remove", input: {} }, 2),
      delta({ type: "input_json_delta", partial_json: "" }, 2),
      stop(2),
      ...end("max_tokens"),
    ],
    events: [
      { type: "tool_call_delta", index: 0, id: "a", name: "time", arguments: "" },
      { type: "tool_call_delta", index: 1, id: "b", name: "remove", arguments: "" },
      { type: "tool_call", id: "a", name: "time", arguments: "{}" },
      { type: "tool_call", id: "b", name: "remove", arguments: "" },
      { type: "usage", usage },
      { type: "finish", reason: "length", raw: "max_tokens" },
    ],
  },
  {
    what: "a tool call whose arguments stand in the beginning of its block",
    chunks: [begin, start({ type: "tool_use", id: "a", name: "weather", input: { city: "Oslo" } }), ...end("tool_use")],
    events: [
      { type: "tool_call_delta", index: 0, id: "a", name: "weather", arguments: "" },
      { type: "tool_call", id: "a", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "usage", usage },
      { type: "finish", reason: "tool_calls", raw: "tool_use" },
    ],
  },
  {
    what: "ids of calls that are ill-formed or not unique, which are replaced",
    chunks: [
      begin,
      ...["call_1", "a.b", "call_1", undefined].map((id, index) =>
        start({ type: "tool_use", id, name: "f", input: {} }, index),
      ),
      ...end("tool_use"),
    ],
    events: [
      ...["call_1", "call_2", "call_3", "call_4"].map(
        (id, index): ModelEvent => ({ type: "tool_call_delta", index, id, name: "f", arguments: "" }),
      ),
      ...["call_1", "call_2", "call_3", "call_4"].map(
        (id): ModelEvent => ({ type: "tool_call", id, name: "f", arguments: "{}" }),
      ),
      { type: "usage", usage },
      { type: "finish", reason: "tool_calls", raw: "tool_use" },
    ],
  },
  {
    what: "a tool of the server's own and its result, which are no call of ours, and citations",
    chunks: [
      begin,
      start({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
      delta({ type: "input_json_delta", partial_json: '{"query":"owls"}' }),
      stop(),
      start(
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ url: "https://example.com" }] },
        1,
      ),
      stop(1),
      start({ type: "text", text: "", citations: [{ url: "https://example.com/a" }] }, 2),
      delta({ type: "text_delta", text: "Owls." }, 2),
      delta({ type: "citations_delta", citation: { url: "https://example.com" } }, 2),
      stop(2),
      ...end("end_turn"),
    ],
    events: [
      { type: "text", text: "Owls." },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } },
          { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ url: "https://example.com" }] },
          {
            type: "text",
            text: "Owls.",
            citations: [{ url: "https://example.com/a" }, { url: "https://example.com" }],
          },
        ],
      },
    ],
  },
  {
    what: "a tool of the server's own without its result, which no server would take back",
    chunks: [
      begin,
      start({ type: "text", text: "Let me look." }),
      start({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } }, 1),
      ...end("max_tokens"),
    ],
    events: [
      { type: "text", text: "Let me look." },
      { type: "usage", usage },
      { type: "finish", reason: "length", raw: "max_tokens" },
    ],
  },
  {
    what: "a tool of the server's own that waits for the results of a call of ours",
    chunks: [
      begin,
      start({ type: "server_tool_use", id: "srvtoolu_1", name: "code_execution", input: { code: "f()" } }),
      start({ type: "tool_use", id: "toolu_1", name: "f", input: {} }, 1),
      ...end("tool_use"),
    ],
    events: [
      { type: "tool_call_delta", index: 0, id: "toolu_1", name: "f", arguments: "" },
      { type: "tool_call", id: "toolu_1", name: "f", arguments: "{}" },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "tool_calls",
        raw: "tool_use",
        native: [
          { type: "server_tool_use", id: "srvtoolu_1", name: "code_execution", input: { code: "f()" } },
          { type: "tool_use", id: "toolu_1", name: "f", input: {} },
        ],
      },
    ],
  },
  {
    what: "blocks that come interleaved, and an empty text, which no server would take back",
    chunks: [
      begin,
      start({ type: "redacted_thinking", data: "ZA==" }),
      start({ type: "text", text: "" }, 1),
      start({ type: "text", text: "" }, 2),
      delta({ type: "text_delta", text: "b" }, 2),
      ...end("end_turn"),
    ],
    events: [
      { type: "text", text: "b" },
      { type: "usage", usage },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "redacted_thinking", data: "ZA==" },
          { type: "text", text: "b" },
        ],
      },
    ],
  },
  {
    what: "events, blocks and deltas that are not known here; what they add to is not given back",
    chunks: [
      begin,
      { type: "something_new", index: 0 },
      start({ type: "dream", id: 1 }),
      delta({ type: "dream_delta", dream: "…" }),
      start({ type: "text", text: "" }, 1),
      delta({ type: "text_delta", text: "Hi" }, 1),
      ...end("end_turn"),
    ],
    events: [
      { type: "text", text: "Hi" },
      { type: "usage", usage },
      { type: "finish", reason: "stop", raw: "end_turn" },
    ],
  },
  {
    what: "what has the wrong shape",
    chunks: [
      null,
      "text",
      [],
      {},
      { type: "message_start", message: null },
      start({}),
      { type: "content_block_start" },
      { type: "content_block_delta", index: 0 },
      delta({ type: "text_delta", text: "lost" }, 7),
      start({ type: "text" }, 1),
      delta({ type: "text_delta", text: 7 }, 1),
      delta({ type: "text_delta", text: "kept" }, 1),
      { type: "message_delta", delta: null, usage: { output_tokens: "many" } },
      { type: "message_stop" },
    ],
    events: [
      { type: "text", text: "kept" },
      { type: "usage", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
      { type: "finish", reason: "other" },
    ],
  },
  {
    what: "an answer whose server tells no usage",
    chunks: [
      { type: "message_start", message: {} },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ],
    events: [{ type: "finish", reason: "stop", raw: "end_turn" }],
  },
];

describe("reduce and conclude", () => {
  it.each(transcripts)("understand $what", ({ chunks, events }) => {
    expect(answer(chunks)).toEqual(events);
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "content_filter"],
    ["pause_turn", "other"],
    ["something_new", "other"],
  ])("map the stop reason %s to %s", (raw, reason) => {
    expect(answer([begin, ...end(raw)]).at(-1)).toEqual({ type: "finish", reason, raw });
  });

  it("complete the message at message_stop, not before", () => {
    const chunks = [begin, start({ type: "text", text: "Hi" }), ...end("end_turn")];
    expect(take(chunks.slice(0, -1)).state.isDone).toBe(false);
    expect(take(chunks).state.isDone).toBe(true);
  });

  it("count cache reads and writes separately from input, and thinking as part of output", () => {
    const told = {
      input_tokens: 10,
      cache_read_input_tokens: 500,
      cache_creation_input_tokens: 30,
      output_tokens: 1,
    };
    const final = { output_tokens: 70, output_tokens_details: { thinking_tokens: 63 }, input_tokens: null };
    const chunks = [
      { type: "message_start", message: { usage: told } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 40 } },
      { type: "message_delta", delta: {}, usage: final },
      { type: "message_stop" },
    ];
    expect(answer(chunks)).toEqual([
      { type: "usage", usage: { input: 10, output: 70, cacheRead: 500, cacheWrite: 30, reasoning: 63 } },
      { type: "finish", reason: "stop", raw: "end_turn" },
    ]);
  });

  it("keep the text so far", () => {
    const chunks = [
      start({ type: "thinking", thinking: "" }),
      delta({ type: "thinking_delta", thinking: "no" }),
      start({ type: "text", text: "a" }, 1),
      delta({ type: "text_delta", text: "b" }, 1),
      start({ type: "text", text: "c" }, 2),
    ];
    expect(textOf(take(chunks).state)).toBe("abc");
  });

  it("add a delta without copying the earlier blocks", () => {
    const open = take([begin, start({ type: "text", text: "" }), start({ type: "text", text: "" }, 1)]).state;
    const [grown] = reduce(open, delta({ type: "text_delta", text: "x" }, 1));
    expect(grown.blocks[0]).toBe(open.blocks[0]);
    expect(open.blocks[1]?.text).toBe("");
  });
});

describe("resume", () => {
  const paused = take([
    begin,
    start({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } }),
    ...end("pause_turn"),
  ]).state;

  it("sends back the content that continues a paused answer", () => {
    expect(pausedContent(paused)).toEqual([
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } },
    ]);
  });

  it.each([
    ["that is over", [start({ type: "text", text: "Hi" }), ...end("end_turn")]],
    ["without content", end("pause_turn")],
    ["with a call of ours", [start({ type: "tool_use", id: "a", name: "f", input: {} }), ...end("pause_turn")]],
    ["with a block that is not understood", [start({ type: "dream" }), delta({ type: "new" }), ...end("pause_turn")]],
  ])("does not continue an answer %s", (_, chunks) => {
    expect(pausedContent(take(chunks).state)).toBeUndefined();
  });

  it("makes one answer of several messages, with the usage of all of them", () => {
    const { state, events } = take(
      [
        begin,
        start({ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
        start({ type: "text", text: "" }, 1),
        delta({ type: "text_delta", text: "Owls." }, 1),
        ...end("end_turn"),
      ],
      resume(paused),
    );
    expect([...events, ...conclude(state)]).toEqual([
      { type: "text", text: "Owls." },
      { type: "usage", usage: { ...usage, input: 20, output: 10 } },
      {
        type: "finish",
        reason: "stop",
        raw: "end_turn",
        native: [
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "owls" } },
          { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
          { type: "text", text: "Owls." },
        ],
      },
    ]);
  });
});

describe("conclude of an aborted answer", () => {
  const chunks = [
    { type: "message_start", message: { usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } } },
    start({ type: "text", text: "" }),
    delta({ type: "text_delta", text: "x".repeat(40) }),
  ];
  const aborted = (taken: readonly unknown[]) => [...ended(take(taken).state, () => true)];

  it("keeps the reported input and estimates the output", () => {
    expect(aborted(chunks)).toEqual([
      { type: "usage", usage: { ...usage, output: 10, cacheRead: 90, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
  });

  it("estimates all counts before the server has begun", () => {
    expect(aborted([])).toEqual([
      { type: "usage", usage: { ...usage, input: 4, output: 0, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
  });

  it("keeps the final counts once the server has reported them", () => {
    const tool = start({ type: "tool_use", id: "a", name: "f", input: {} }, 1);
    const { state } = take([...chunks, tool, ...end("tool_use")]);
    let isAborted = false;
    const events: ModelEvent[] = [];
    for (const event of ended(state, () => isAborted)) {
      events.push(event);
      isAborted = true;
    }
    expect(events).toEqual([
      { type: "tool_call", id: "a", name: "f", arguments: "{}" },
      { type: "usage", usage: { ...usage, cacheRead: 90, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
  });

  it("does not estimate less than the server has reported", () => {
    const told = { type: "message_delta", delta: {}, usage: { output_tokens: 70 } };
    expect(aborted([...chunks, told])[0]).toMatchObject({ usage: { output: 70, estimated: true } });
  });

  it("adds the usage of the earlier messages", () => {
    const state = resume(take([begin, start({ type: "text", text: "long" }), ...end("pause_turn")]).state);
    const more = take([start({ type: "text", text: "" }), delta({ type: "text_delta", text: "x".repeat(40) })], state);
    const [first] = ended(more.state, () => true);
    expect(first).toEqual({ type: "usage", usage: { ...usage, input: 14, output: 15, estimated: true } });
  });

  it("counts the text that a block begins with", () => {
    expect(aborted([begin, start({ type: "text", text: "x".repeat(40) })])[0]).toMatchObject({ usage: { output: 10 } });
  });
});

function ended(state: State, isAborted: () => boolean) {
  return endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
}
