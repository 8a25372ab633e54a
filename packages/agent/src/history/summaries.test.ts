import type { LogEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { summaryOf } from "./summaries.ts";

const said: LogEvent = { type: "user", content: "a", timestamp: 1 };
const answered: LogEvent = { type: "respond", content: "b", timestamp: 1 };
const summary = (upTo: unknown, text: unknown) =>
  ({ type: "record", kind: "summary", data: { upTo, text }, timestamp: 1 }) as LogEvent;

it.each<[what: string, log: LogEvent[], expected: object | undefined]>([
  ["none without a summary", [said, answered, said], undefined],
  ["the last one", [said, answered, said, summary(2, "one"), said, summary(4, "two")], { upTo: 4, text: "two" }],
  ["none after all were taken back", [said, answered, said, summary(2, "one"), summary(0, "")], undefined],
  [
    "the one before, if that was taken up again",
    [said, said, summary(1, "x"), summary(0, ""), summary(1, "x")],
    { upTo: 1, text: "x" },
  ],
  [
    "the last one with an effect",
    [said, said, summary(1, "one"), summary(99, "far"), summary(1, 7)],
    { upTo: 1, text: "one" },
  ],
])("summaryOf returns %s", (_, log, expected) => {
  expect(summaryOf(log)).toEqual(expected);
});
