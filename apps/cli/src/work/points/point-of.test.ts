import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { isOtherPoint, lastPoint, pointOf } from "./point-of.ts";

const said = (content: string, origin?: "untrusted"): LogEvent => ({
  type: "user",
  content,
  timestamp: 1,
  ...(origin && { origin }),
});
const answered: LogEvent = { type: "respond", content: "yes", timestamp: 1 };
const call: LogEvent = { type: "call", content: '{"name":"a","args":{}}', id: "call_ab12", timestamp: 1 };
const result: LogEvent = {
  type: "result",
  content: '[{"tool":"a","status":"success","content":""}]',
  timestamp: 1,
} as LogEvent;
const origin = { type: "record", kind: "origin", data: {}, timestamp: 1 } as unknown as LogEvent;
const point = (name: string, at: number): LogEvent => ({
  type: "record",
  kind: "point",
  data: { name, at },
  timestamp: 1,
});

const log = [
  ...[origin, said("piped", "untrusted"), said("first"), answered],
  ...[said("second"), call, result, answered, point("before it", 4), point("gone", 3), point("gone", 0)],
];

describe("pointOf", () => {
  it.each([
    ["a number of events", "3", 3],
    ["a turn, which piped text begins", "turn:1", 1],
    ["a later turn", "turn:2", 4],
    ["a message", "message:1", 2],
    ["a call, before the answer that made it", "call_ab12", 5],
    ["a name", "before it", 4],
    ["the end", String(log.length), log.length],
  ])("finds %s", (_, text, at) => {
    expect(pointOf(text, log)).toBe(at);
  });

  it.each([
    [
      "gone",
      /^--at: the conversation has no point "gone"\. Give .*, or the name of a point\. Its names are "before it"\.$/,
    ],
    ["a\u001b[2J", /no point "a\\u001b\[2J"/],
    ["99", /has 11 events, and not 99/],
    ["turn:3", /has 2 turns of a person/],
    ["message:0", /no point "message:0"/],
  ])("refuses %j", (text, message) => {
    expect(() => pointOf(text, log)).toThrow(message);
  });

  it("refuses the moment before the first event, and says which option it is of", () => {
    expect(() => pointOf("turn:1", [said("a")], "--to")).toThrow("--to turn:1 leaves nothing");
  });
});

describe("lastPoint", () => {
  it.each([
    ["the end of a log", log, log.length],
    ["the moment before a call that is open", log.slice(0, 6), 5],
    ["nothing of an empty log", [], 0],
  ])("is %s", (_, events, at) => {
    expect(lastPoint(events)).toBe(at);
  });
});

it.each(["12", "turn:2", "Message:x", "call_1", "undo_"])("%s is no name of a point", (name) => {
  expect(isOtherPoint(name)).toBe(true);
});
