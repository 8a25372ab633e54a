import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../../provider.ts";
import { zeroUsage } from "../../usage/usage.ts";
import { endOfAnswer } from "./end-of-answer.ts";

const spent = { ...zeroUsage, output: 7 };
const events: ModelEvent[] = [
  { type: "tool_call", id: "a", name: "f", arguments: "{}" },
  { type: "usage", usage: { ...zeroUsage, output: 9 } },
  { type: "finish", reason: "tool_calls" },
];
const aborted: ModelEvent = { type: "finish", reason: "aborted" };
const estimated: ModelEvent = { type: "usage", usage: { ...spent, estimated: true } };

describe("endOfAnswer", () => {
  it("yields the events of an answer that is not aborted", () => {
    expect([
      ...endOfAnswer(
        events,
        () => false,
        () => spent,
      ),
    ]).toEqual(events);
  });

  it.each<[after: number, expected: ModelEvent[]]>([
    [0, [estimated, aborted]],
    [1, [...events.slice(0, 1), estimated, aborted]],
    [2, [...events.slice(0, 2), aborted]],
    [3, events],
  ])("ends an answer that is aborted after %i events with its usage, once", (after, expected) => {
    const told: ModelEvent[] = [];
    for (const event of endOfAnswer(
      events,
      () => told.length >= after,
      () => spent,
    ))
      told.push(event);
    expect(told).toEqual(expected);
  });

  it("yields no usage for an aborted answer that used nothing", () => {
    expect([
      ...endOfAnswer(
        events,
        () => true,
        () => undefined,
      ),
    ]).toEqual([aborted]);
  });
});
