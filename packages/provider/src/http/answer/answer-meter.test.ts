import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../../provider.ts";
import { completeLimits, type Limits } from "../limits.ts";
import { createAnswerMeter } from "./answer-meter.ts";

const meter = (limits: Limits) => createAnswerMeter("acme.test", completeLimits(limits));
const delta = (index: number, text: string): ModelEvent => ({ type: "tool_call_delta", index, arguments: text });
const call = (id: string, text: string): ModelEvent => ({ type: "tool_call", id, name: "f", arguments: text });

describe("createAnswerMeter", () => {
  const ten: ModelEvent[] = [
    { type: "text", text: "abc" },
    { type: "reasoning", text: "def" },
    delta(0, "{}"),
    delta(1, ""),
    // Told in deltas before, and so not counted again.
    call("a", "{}"),
    call("b", "{}"),
    { type: "finish", reason: "tool_calls" },
  ];

  it("counts text, reasoning and arguments together, each once, up to the limit", () => {
    expect(() => meter({ answerCharacters: 10 }).add(ten)).not.toThrow();
    expect(() => meter({ answerCharacters: 9 }).add(ten)).toThrow("`limits.answerCharacters`");
  });

  it("counts values that a wire keeps without an event", () => {
    const one = meter({ answerCharacters: 10 });
    one.keep("12345");
    one.keep([1]);
    one.keep(undefined);
    expect(() => one.keep("1234")).toThrow("`limits.answerCharacters`");
  });

  it.each([
    ["deltas", [delta(0, ""), delta(7, ""), delta(0, "{}"), delta(2, "")]],
    ["whole calls", [call("a", "{}"), call("b", "{}"), call("c", "{}")]],
  ])("counts calls that come as %s", (_, events) => {
    expect(() => meter({ calls: 3 }).add(events)).not.toThrow();
    expect(() => meter({ calls: 2 }).add(events)).toThrow("`limits.calls`");
  });

  it("checks how many calls or blocks there are", () => {
    expect(() => meter({ blocks: 2 }).holds("blocks", 2)).not.toThrow();
    expect(() => meter({ blocks: 2 }).holds("blocks", 3)).toThrow("`limits.blocks`");
    expect(() => meter({ calls: 2 }).holds("calls", 3)).toThrow("`limits.calls`");
  });
});
