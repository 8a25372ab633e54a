import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../events.ts";
import { createSettler, settle } from "./settle.ts";

const at = { timestamp: 1 };
const call = (name: string): AgentEvent => ({ type: "call", content: JSON.stringify({ name, args: {} }), ...at });
const token: AgentEvent[] = [
  { type: "think", content: "a", unit: 0, timestamp: 1 },
  { type: "think", content: "b", unit: 0, timestamp: 2 },
  { type: "think", content: "c", unit: 1, ...at },
  { type: "respond", content: "d", unit: 2, ...at },
  call("x"),
  call("y"),
  { type: "execute", ...at },
];
const event: AgentEvent[] = [
  { type: "think", content: "ab", timestamp: 1 },
  { type: "think", content: "c", ...at },
  { type: "respond", content: "d", ...at },
  call("x"),
  call("y"),
  { type: "execute", ...at },
];

describe("settle", () => {
  it("joins the pieces of a unit, under the time of the first, and keeps adjacent units apart", () => {
    expect([...settle(token)]).toEqual(event);
  });

  it("gives an async view of an async source", async () => {
    async function* source() {
      yield* token;
    }
    const settled: AgentEvent[] = [];
    for await (const each of settle(source())) settled.push(each);
    expect(settled).toEqual(event);
  });

  it("settles the last unit where an async source ends", async () => {
    async function* source() {
      yield* token.slice(0, 4);
    }
    const settled: AgentEvent[] = [];
    for await (const each of settle(source())) settled.push(each);
    expect(settled).toEqual(event.slice(0, 3));
  });

  it("leaves events that are settled already as they are", () => {
    expect([...settle(event)]).toEqual(event);
  });

  it.each<AgentEvent>([
    { type: "interrupt", ...at },
    { type: "cancelled", ...at },
    { type: "end", ...at },
    { type: "user", content: "go", ...at },
  ])("drops calls that were announced before $type", (boundary) => {
    const execute: AgentEvent = { type: "execute", ...at };
    expect([...settle([call("x"), boundary, call("y"), execute])]).toEqual([boundary, call("y"), execute]);
  });

  it("gives calls directly before their execute, after any units that came in between", () => {
    const respond: AgentEvent = { type: "respond", content: "a", ...at };
    const execute: AgentEvent = { type: "execute", ...at };
    expect([...settle([call("x"), respond, execute])]).toEqual([respond, call("x"), execute]);
  });

  it("drops calls that an error voids, and calls that never reached their boundary", () => {
    const error: AgentEvent = { type: "error", code: "truncated_execute", content: "cut", ...at };
    expect([...settle([call("x"), error])]).toEqual([error]);
    expect([...settle([call("x")])]).toEqual([]);
  });

  it("drops call deltas, also between the pieces of a unit", () => {
    const delta: AgentEvent = { type: "call_delta", index: 0, name: "x", content: "{}", ...at };
    expect([...settle([delta])]).toEqual([]);
    expect([...settle(token.flatMap((each) => [delta, each, delta]))]).toEqual(event);
  });

  it("settles a unit no later than the next event of another kind", () => {
    const settler = createSettler();
    const settled = token.map((each) => settler.write(each).map(({ type }) => type));
    expect(settled).toEqual([[], [], ["think"], ["think"], ["respond"], [], ["call", "call", "execute"]]);
    expect(settler.end()).toEqual([]);
  });

  it("does not change the events it was given", () => {
    const before = structuredClone(token);
    void [...settle(token)];
    expect(token).toEqual(before);
  });
});
