import type { ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { conclude, generatedText, initialState, reduce, type State, textOf } from "./reduce.ts";
import type { Chunk } from "./wire.ts";

const completed: Chunk = { type: "response.completed", response: { status: "completed", output: [] } };
const stop: ModelEvent = { type: "finish", reason: "stop", raw: "completed" };
const message = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "42" }] };
const done = (item: object, output_index: number): Chunk => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const delta = (type: string, piece: string, output_index: number): Chunk => ({
  type: `response.${type}.delta`,
  output_index,
  delta: piece,
});

describe("the end of an answer on the Responses wire", () => {
  it.each<{ type: string; response: object; finish: object }>([
    { type: "response.completed", response: {}, finish: { reason: "stop", raw: "completed" } },
    {
      type: "response.completed",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      finish: { reason: "length", raw: "max_output_tokens" },
    },
    {
      type: "response.incomplete",
      response: { incomplete_details: { reason: "content_filter" } },
      finish: { reason: "content_filter", raw: "content_filter" },
    },
    { type: "response.incomplete", response: {}, finish: { reason: "length", raw: "incomplete" } },
    { type: "response.cancelled", response: {}, finish: { reason: "other", raw: "cancelled" } },
  ])("ends $type of $response with $finish", ({ type, response, finish }) => {
    expect(ending([{ type, response }])).toEqual([{ type: "finish", ...finish }]);
  });

  it.each<{ event: Chunk; failure: object }>([
    {
      event: { type: "response.failed", response: { error: { code: "server_error", message: "Sorry." } } },
      failure: { code: "server_error", message: "Sorry." },
    },
    { event: { type: "response.completed", response: { status: "failed" } }, failure: {} },
    { event: { type: "error", error: { message: "Sorry." } }, failure: { message: "Sorry." } },
    { event: { type: "error" }, failure: { type: "error" } },
  ])("keeps the failure that $event reports", ({ event, failure }) => {
    expect(take([event])).toMatchObject({ failure });
  });

  it.each([
    {
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 12 },
        total_tokens: 120,
      },
      told: { input: 10, output: 20, cacheRead: 60, cacheWrite: 30, reasoning: 12 },
    },
    {
      usage: { input_tokens: 5, output_tokens: 2, output_tokens_details: { reasoning_tokens: 7 } },
      told: { input: 5, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 7 },
    },
    {
      usage: { input_tokens: 5, output_tokens: 2 },
      told: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    },
    {
      usage: { input_tokens: 5, input_tokens_details: { cached_tokens: 9 }, output_tokens: null },
      told: { input: 0, output: 0, cacheRead: 9, cacheWrite: 0, reasoning: 0 },
    },
  ])("converts $usage to disjoint counts", ({ usage, told }) => {
    const events = ending([{ type: "response.completed", response: { usage } }]);
    expect(events).toEqual([{ type: "usage", usage: told }, stop]);
  });

  it("keeps the items of a completed answer unchanged if they hold more than its events", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA", later: { b: 1, a: 2 } };
    const finish = ending([done(message, 1), done(reasoning, 0), completed]).at(-1);
    expect(finish).toEqual({ ...stop, native: [reasoning, message] });
  });

  it("keeps no items of an answer that was cut off, or of which one is missing", () => {
    const reasoning = { type: "reasoning", id: "rs_1", encrypted_content: "gAAA" };
    expect(ending([done(reasoning, 0), done(message, 1), { type: "response.incomplete" }]).at(-1)).toEqual({
      type: "finish",
      reason: "length",
      raw: "incomplete",
    });
    expect(ending([done(reasoning, 0), delta("output_text", "42", 1), completed]).at(-1)).toEqual(stop);
  });

  it("keeps everything that was generated, to estimate the usage", () => {
    const state = take([
      delta("reasoning_summary_text", "Hm.", 0),
      delta("output_text", "One", 1),
      delta("output_text", "Two", 2),
      delta("function_call_arguments", '{"a', 3),
    ]);
    expect(textOf(state)).toBe("One\n\nTwo");
    expect(generatedText(state)).toBe('Hm.OneTwo{"a');
  });
});

function take(transcript: readonly Chunk[]): State {
  return transcript.reduce((state, event) => reduce(state, event)[0], initialState);
}

function ending(transcript: readonly Chunk[]): ModelEvent[] {
  return conclude(take(transcript));
}
