import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { turnsOf } from "./turns-of.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0 };
const turn = (prompt: string): LogEvent[] => [
  { type: "user", content: prompt, timestamp: 1 },
  { type: "respond", content: "Yes.", timestamp: 1 },
  { type: "record", kind: "usage", data: usage, timestamp: 1 },
  { type: "record", kind: "run", data: { status: "completed" }, timestamp: 1 },
];

describe("the turns of a log", () => {
  const named: LogEvent[] = [
    { type: "record", kind: "point", data: { name: "first", at: 4 }, timestamp: 1 },
    { type: "record", kind: "title", data: { text: "A talk" }, timestamp: 1 },
  ];

  it.each(named)("are not more because a person has named something after a turn: $kind", (record) => {
    const turns = turnsOf([...turn("One?"), record, ...turn("Two?")]);
    expect(turns.map(({ inputs, end }) => [inputs, end?.status])).toEqual([
      [["One?"], "completed"],
      [["Two?"], "completed"],
    ]);
  });
});
