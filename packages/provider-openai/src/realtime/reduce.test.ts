import type { ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { conclude, initialState, reduce, type State } from "./reduce.ts";
import { toServerEvent } from "./wire.ts";

/** All the way from the wire's own events. */
function read(events: readonly object[], earlier: string[] = []): { state: State; events: ModelEvent[] } {
  let state = initialState(new Set(earlier));
  const given: ModelEvent[] = [];
  for (const event of events) {
    const parsed = toServerEvent(event);
    if (!parsed) throw new Error("This is no event.");
    const [next, made] = reduce(state, parsed);
    state = next;
    given.push(...made);
  }
  return { state, events: given };
}

const created = (id: string) => ({ type: "response.created", response: { id, status: "in_progress" } });
const delta = (id: string | undefined, text: unknown) => ({
  type: "response.output_text.delta",
  response_id: id,
  delta: text,
});
const done = (id: string, fields: object = {}) => ({
  type: "response.done",
  response: { id, status: "completed", ...fields },
});

describe("reduce over Realtime events", () => {
  it("yields an event for a text delta, and none for an empty one", () => {
    const { state, events } = read([created("a"), delta("a", "Hel"), delta("a", ""), delta("a", "lo")]);
    expect(events).toEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ]);
    expect(state).toMatchObject({ response: "a", hasBegun: true, text: "Hello" });
    expect(state.finish).toBeUndefined();
  });

  it.each<[string, object[]]>([
    ["an earlier response", [delta("old", "LEAK"), created("a"), delta("old", "LEAK"), done("old"), delta("a", "Hi")]],
    ["another response", [created("a"), delta("b", "LEAK"), done("b"), delta("a", "Hi")]],
  ])("ignores events of %s", (_, events) => {
    const { state } = read(events, ["old"]);
    expect(state).toMatchObject({ response: "a", text: "Hi" });
    expect(state.finish).toBeUndefined();
  });

  it("does not begin with events that are not about the answer", () => {
    const { state } = read([
      { type: "rate_limits.updated", rate_limits: [] },
      { type: "conversation.item.added", item: {} },
      { type: "response.output_item.added", response_id: "x" },
    ]);
    expect(state).toEqual(initialState(new Set()));
  });

  it("reads servers whose responses have no ids", () => {
    const { state } = read([delta(undefined, "Hi"), { type: "response.done" }]);
    expect(state).toMatchObject({ text: "Hi", finish: "completed" });
  });

  it("ignores fields of other types than documented", () => {
    const { state, events } = read([created("a"), delta("a", 7), done("a", { usage: "much", status_details: [] })]);
    expect(events).toEqual([]);
    expect(conclude(state)).toEqual([{ type: "finish", reason: "stop", raw: "completed" }]);
  });

  it.each([
    {
      usage: { input_tokens: 10, output_tokens: 4 },
      ours: { input: 10, output: 4, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    },
    {
      usage: {
        input_tokens: 10,
        output_tokens: 4,
        input_token_details: { cached_tokens: 8 },
        output_token_details: { reasoning_tokens: 3 },
      },
      ours: { input: 2, output: 4, cacheRead: 8, cacheWrite: 0, reasoning: 3 },
    },
  ])("counts cached input separately, and reasoning as output: $usage", ({ usage, ours }) => {
    const { state } = read([created("a"), done("a", { usage })]);
    expect(conclude(state)).toContainEqual({ type: "usage", usage: ours });
  });

  it.each([
    [
      { status: "failed", status_details: { error: { message: "No.", code: "c" } } },
      { message: "No.", code: "c" },
    ],
    [{ status: "failed", status_details: { error: { code: "c" } } }, { message: "c" }],
    [{ status: "failed" }, { message: "failed" }],
    [{ status: "cancelled", status_details: { reason: "turn_detected" } }, { message: "cancelled (turn_detected)" }],
  ])("keeps the reason why a response failed: %j", (fields, failure) => {
    const { state } = read([created("a"), done("a", fields)]);
    expect(state.finish).toBeUndefined();
    expect(state.failure).toMatchObject(failure);
  });
});
