import type { Json } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { conclude, generatedText, initialState, reduce } from "./reduce.ts";
import type { Chunk } from "./wire.ts";

/** As servers send them: fields of the documented type may be null or missing. */
type WireChunk = { choices?: unknown; usage?: unknown };

describe("reduce", () => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const finished = (raw: string, reason: string = raw, native?: Json) =>
    ({ type: "finish", reason, raw, ...(native !== undefined && { native }) }) as ModelEvent;

  const answers: { name: string; chunks: WireChunk[]; events: ModelEvent[] }[] = [
    {
      name: "text, piece by piece",
      chunks: [delta({ role: "assistant", content: "" }), delta({ content: "He" }), delta({ content: "llo" }), stop()],
      events: [{ type: "text", text: "He" }, { type: "text", text: "llo" }, finished("stop")],
    },
    ...[undefined, null].map((index) => ({
      name: `calls side by side whose pieces have the index ${index} and no id, by their places in the list`,
      chunks: [
        delta({ tool_calls: ["read", "list"].map((name) => ({ index, function: { name, arguments: "" } })) }),
        delta({
          tool_calls: [
            { index, function: { arguments: '{"file"' } },
            { index, function: { arguments: '{"path"' } },
          ],
        }),
        delta({ tool_calls: [{ index }, { index, function: { arguments: ':"b"}' } }] }),
        delta({ tool_calls: [{ index, function: { arguments: ':"a"}' } }, { index }] }),
        stop("tool_calls"),
      ],
      events: [
        { type: "tool_call_delta", index: 0, name: "read", arguments: "" },
        { type: "tool_call_delta", index: 1, name: "list", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: '{"file"' },
        { type: "tool_call_delta", index: 1, arguments: '{"path"' },
        { type: "tool_call_delta", index: 0, arguments: "" },
        { type: "tool_call_delta", index: 1, arguments: ':"b"}' },
        { type: "tool_call_delta", index: 0, arguments: ':"a"}' },
        { type: "tool_call_delta", index: 1, arguments: "" },
        { type: "tool_call", id: "call_0", name: "read", arguments: '{"file":"a"}' },
        { type: "tool_call", id: "call_1", name: "list", arguments: '{"path":"b"}' },
        finished("tool_calls"),
      ] as ModelEvent[],
    })),
    {
      name: "null content, an empty delta, no delta and no choices as nothing",
      chunks: [
        delta({ content: null }),
        delta({}),
        { choices: [{ index: 0, finish_reason: null }] },
        { choices: [] },
        {},
        stop(),
      ],
      events: [finished("stop")],
    },
    {
      name: "a list of parts as their text",
      chunks: [
        delta({ content: [{ type: "text", text: "He" }] }),
        delta({
          content: [
            { type: "text", text: "l" },
            { type: "image_url", image_url: {} },
            null,
            { type: "text", text: "lo" },
          ],
        }),
        delta({ content: [] }),
        stop(),
      ],
      events: [{ type: "text", text: "He" }, { type: "text", text: "llo" }, finished("stop")],
    },
    {
      name: "parts with thinking as reasoning",
      chunks: [
        delta({
          content: [
            {
              type: "thinking",
              thinking: [
                { type: "text", text: "Hm" },
                { type: "text", text: "." },
              ],
            },
          ],
        }),
        delta({
          content: [
            { type: "thinking", thinking: " Yes." },
            { type: "text", text: "Hello" },
          ],
        }),
        stop(),
      ],
      events: [
        { type: "reasoning", text: "Hm." },
        { type: "reasoning", text: " Yes." },
        { type: "text", text: "Hello" },
        finished("stop"),
      ],
    },
    {
      name: "a refusal as text",
      chunks: [delta({ refusal: "I can't." }), stop()],
      events: [{ type: "text", text: "I can't." }, finished("stop")],
    },
    {
      name: "reasoning_content and reasoning, once when both are sent",
      chunks: [
        delta({ reasoning_content: "a" }),
        delta({ reasoning: "b" }),
        delta({ reasoning_content: "c", reasoning: "c" }),
        delta({ reasoning_content: null, content: "d" }),
        stop(),
      ],
      events: [
        { type: "reasoning", text: "a" },
        { type: "reasoning", text: "b" },
        { type: "reasoning", text: "c" },
        { type: "text", text: "d" },
        finished("stop", "stop", { reasoning_content: "abc" }),
      ],
    },
    {
      name: "reasoning that nobody wants back without native blocks",
      chunks: [delta({ reasoning: "a" }), stop()],
      events: [{ type: "reasoning", text: "a" }, finished("stop")],
    },
    {
      name: "reasoning details as native blocks, the pieces of one put together",
      chunks: [
        delta({
          reasoning: "Six ",
          reasoning_details: [{ type: "reasoning.text", text: "Six ", signature: null, index: 0 }],
        }),
        delta({
          reasoning: "sevens.",
          reasoning_details: [{ type: "reasoning.text", text: "sevens.", signature: "c2ln", index: 0 }],
        }),
        delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "eA", id: "r-1", index: 0 }] }),
        delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "eQ", id: "r-2", index: 1 }] }),
        stop(),
      ],
      events: [
        { type: "reasoning", text: "Six " },
        { type: "reasoning", text: "sevens." },
        finished("stop", "stop", {
          reasoning_details: [
            { type: "reasoning.text", text: "Six sevens.", signature: "c2ln", index: 0 },
            { type: "reasoning.encrypted", data: "eA", id: "r-1", index: 0 },
            { type: "reasoning.encrypted", data: "eQ", id: "r-2", index: 1 },
          ],
        }),
      ],
    },
    {
      name: "cached tokens by DeepSeek's name, and more reasoning than output",
      chunks: [
        stop(),
        {
          choices: [],
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            prompt_cache_hit_tokens: 90,
            prompt_cache_miss_tokens: 10,
            completion_tokens_details: { reasoning_tokens: 30 },
          },
        },
      ],
      events: [
        { type: "usage", usage: { input: 10, output: 30, cacheRead: 90, cacheWrite: 0, reasoning: 30 } },
        finished("stop"),
      ],
    },
    ...[
      { name: "beside the output", details: { reasoning_tokens: 317 }, completion: 2, output: 319, reasoning: 317 },
      { name: "in the total only", details: undefined, completion: 2, output: 319, reasoning: 317 },
      { name: "in the output", details: { reasoning_tokens: 317 }, completion: 319, output: 319, reasoning: 317 },
      {
        name: "in the output, and more in the total",
        details: { reasoning_tokens: 1 },
        completion: 2,
        output: 2,
        reasoning: 1,
      },
    ].map(({ name, details, completion, output, reasoning }) => ({
      name: `usage with reasoning ${name}`,
      chunks: [
        {
          choices: [],
          usage: {
            prompt_tokens: 12,
            completion_tokens: completion,
            total_tokens: 331,
            completion_tokens_details: details,
          },
        },
        stop(),
      ],
      events: [
        { type: "usage", usage: { input: 12, output, cacheRead: 0, cacheWrite: 0, reasoning } } as const,
        finished("stop"),
      ],
    })),
    {
      name: "usage that stands in the choice",
      chunks: [{ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }] }],
      events: [
        { type: "usage", usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
        finished("stop"),
      ],
    },
    {
      name: "an empty usage as none, after one that says something",
      chunks: [{ choices: [], usage }, stop(), { choices: [], usage: {} }],
      events: [
        { type: "usage", usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
        finished("stop"),
      ],
    },
    {
      name: "nonsense in the usage as nothing",
      chunks: [stop(), { choices: null, usage: { prompt_tokens: "12", completion_tokens: null } }],
      events: [
        { type: "usage", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
        finished("stop"),
      ],
    },
    {
      name: "a whole answer that was not streamed",
      chunks: [
        {
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: "Hi", reasoning: "Hm", tool_calls: [whole("a", "read", "{}")] },
              finish_reason: "tool_calls",
            },
          ],
        },
      ],
      events: [
        { type: "reasoning", text: "Hm" },
        { type: "text", text: "Hi" },
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "{}" },
        { type: "tool_call", id: "a", name: "read", arguments: "{}" },
        finished("tool_calls"),
      ],
    },
    {
      name: "only what is missing of an answer that is sent once more as a whole",
      chunks: [
        delta({ reasoning: "Hm", content: "He" }),
        delta({ tool_calls: [{ index: 0, ...whole("a", "read", "{}") }] }),
        {
          choices: [
            {
              message: { content: "Hello", reasoning: "Hm", tool_calls: [whole("a", "read", "{}")] },
              finish_reason: "stop",
            },
          ],
        },
      ],
      events: [
        { type: "reasoning", text: "Hm" },
        { type: "text", text: "He" },
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "{}" },
        { type: "text", text: "llo" },
        { type: "tool_call", id: "a", name: "read", arguments: "{}" },
        finished("stop", "tool_calls"),
      ],
    },
    {
      name: "calls that come with the finish reason stop",
      chunks: [delta({ tool_calls: [{ index: 0, ...whole("a", "read", "{}") }] }, "stop")],
      events: [
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "{}" },
        { type: "tool_call", id: "a", name: "read", arguments: "{}" },
        finished("stop", "tool_calls"),
      ],
    },
    {
      name: "calls that were cut off as such",
      chunks: [delta({ tool_calls: [{ index: 0, ...whole("a", "read", '{"fi') }] }, "length")],
      events: [
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: '{"fi' },
        { type: "tool_call", id: "a", name: "read", arguments: '{"fi' },
        finished("length"),
      ],
    },
    {
      name: "a function_call from before there were tools",
      chunks: [
        delta({ function_call: { name: "read", arguments: "" } }),
        delta({ function_call: { arguments: "{}" } }, "function_call"),
      ],
      events: [
        { type: "tool_call_delta", index: 0, name: "read", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: "{}" },
        { type: "tool_call", id: "call_0", name: "read", arguments: "{}" },
        finished("function_call", "tool_calls"),
      ],
    },
    {
      name: "usage from a last chunk without choices, before the finish",
      chunks: [delta({ content: "a" }), stop(), { choices: [], usage }],
      events: [
        { type: "text", text: "a" },
        { type: "usage", usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
        finished("stop"),
      ],
    },
    {
      name: "usage in disjoint fields: cached tokens are no input, reasoning is output",
      chunks: [
        stop(),
        {
          choices: [],
          usage: {
            ...usage,
            prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 6 },
            completion_tokens_details: { reasoning_tokens: 15 },
          },
        },
      ],
      events: [
        { type: "usage", usage: { input: 30, output: 20, cacheRead: 64, cacheWrite: 6, reasoning: 15 } },
        finished("stop"),
      ],
    },
    {
      name: "the last usage of several, and null as none",
      chunks: [
        { ...delta({ content: "a" }), usage: { ...usage, completion_tokens: 1 } },
        { ...stop(), usage },
        { choices: [], usage: null },
      ],
      events: [
        { type: "text", text: "a" },
        { type: "usage", usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
        finished("stop"),
      ],
    },
    {
      name: "an empty finish reason as none",
      chunks: [delta({ content: "a" }, ""), stop("length")],
      events: [{ type: "text", text: "a" }, finished("length")],
    },
    ...["stop", "length", "tool_calls", "content_filter"].map((raw) => ({
      name: `the finish reason ${raw}`,
      chunks: [stop(raw)],
      events: [finished(raw)],
    })),
    {
      name: "function_call as tool_calls",
      chunks: [stop("function_call")],
      events: [finished("function_call", "tool_calls")],
    },
    {
      name: "the end of what the model can hold as length",
      chunks: [stop("model_length")],
      events: [finished("model_length", "length")],
    },
    { name: "an unknown finish reason as other", chunks: [stop("eos")], events: [finished("eos", "other")] },
    {
      name: "tool calls: deltas as they come, whole calls at the end",
      chunks: [
        delta({
          content: null,
          tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "read", arguments: "" } }],
        }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"fi' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: 'le":"x"}' } }] }),
        delta({ tool_calls: [{ index: 1, id: "b", type: "function", function: { name: "list", arguments: "{}" } }] }),
        stop("tool_calls"),
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "" },
        { type: "tool_call_delta", index: 0, arguments: '{"fi' },
        { type: "tool_call_delta", index: 0, arguments: 'le":"x"}' },
        { type: "tool_call_delta", index: 1, id: "b", name: "list", arguments: "{}" },
        { type: "tool_call", id: "a", name: "read", arguments: '{"file":"x"}' },
        { type: "tool_call", id: "b", name: "list", arguments: "{}" },
        finished("tool_calls"),
      ],
    },
    {
      name: "what a server wants back with its calls as native blocks, one a call",
      chunks: [
        delta({ tool_calls: [whole("a", "read", "{}")] }),
        delta({ tool_calls: [{ ...whole("b", "read", "{}"), extra_content: { google: { thought_signature: "s" } } }] }),
        delta({ tool_calls: [{ extra_content: { other: 1 } }] }),
        stop(),
      ],
      events: [
        { type: "tool_call_delta", index: 0, id: "a", name: "read", arguments: "{}" },
        { type: "tool_call_delta", index: 1, id: "b", name: "read", arguments: "{}" },
        { type: "tool_call_delta", index: 1, arguments: "" },
        { type: "tool_call", id: "a", name: "read", arguments: "{}" },
        { type: "tool_call", id: "b", name: "read", arguments: "{}" },
        finished("stop", "tool_calls", { extra_content: [null, { google: { thought_signature: "s" }, other: 1 }] }),
      ],
    },
    {
      name: "the first of several choices only",
      chunks: [
        { choices: [{ index: 1, delta: { content: "other" }, finish_reason: "stop" }] },
        delta({ content: "first" }),
        stop(),
      ],
      events: [{ type: "text", text: "first" }, finished("stop")],
    },
  ];

  it.each(answers)("reads $name", ({ chunks, events }) => {
    expect(run(chunks)).toEqual(events);
  });

  it("does not change the given state", () => {
    const [state] = reduce(initialState, wire(delta({ content: "a", tool_calls: [{ index: 0, id: "a" }] })));
    const before = structuredClone(state);
    reduce(state, wire(delta({ content: "b", tool_calls: [{ index: 0, function: { arguments: "{}" } }] })));
    expect(state).toEqual(before);
    expect(initialState).toMatchObject({ text: "", calls: [], finish: undefined });
  });

  it("keeps the text for a later failure", () => {
    const [first] = reduce(initialState, wire(delta({ content: "He" })));
    const [second] = reduce(first, wire(delta({ content: "llo" })));
    expect(second.text).toBe("Hello");
    expect(second.finish).toBeUndefined();
  });

  it("keeps everything that was generated, to estimate the usage", () => {
    const chunks = [
      delta({ reasoning: "Hm. ", content: "Hi. " }),
      delta({ tool_calls: [{ index: 0, ...whole("a", "read", '{"fi') }] }),
    ];
    const state = chunks.reduce((before, chunk) => reduce(before, wire(chunk))[0], initialState);
    expect(generatedText(state)).toBe('Hm. Hi. read{"fi');
  });
});

function run(chunks: readonly WireChunk[]): ModelEvent[] {
  let state = initialState;
  const all: ModelEvent[] = [];
  for (const chunk of chunks) {
    const [next, events] = reduce(state, wire(chunk));
    state = next;
    all.push(...events);
  }
  return [...all, ...conclude(state)];
}

function wire(chunk: WireChunk): Chunk {
  return chunk as Chunk;
}

function delta(delta: object, finish: string | null = null): WireChunk {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

function whole(id: string, name: string, text: string): object {
  return { id, type: "function", function: { name, arguments: text } };
}

function stop(finish = "stop"): WireChunk {
  return delta({}, finish);
}
