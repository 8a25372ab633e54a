import type { LogEvent } from "@cogency/protocol";
import { emptyView, type Part, type Parts, partsOf, withEvent, withPieces } from "@cogency/protocol/parts";
import { expect, it } from "vitest";
import type { Shown } from "../processes/start-reader.ts";
import { problemsOf } from "./check-screens.ts";

const events = [
  { type: "user", content: "go", timestamp: 1, seq: 1 },
  { type: "respond", content: "aaaaaaaa aaaaaaab", timestamp: 1, seq: 2 },
  { type: "respond", content: "aaaaaaac", timestamp: 1, seq: 3 },
] satisfies (LogEvent & { seq: number })[];
const [user, first] = events;
const piece = { type: "text", run: "r", seq: 1, unit: 1, offset: 0 } as const;

const before = withEvent(emptyView, user as never);
const open = withPieces(before, [{ ...piece, text: "aaaaaaaa aa" }]);
const screensOf = (...all: Parts[]): Shown[] => all.map((parts) => ({ at: 1, parts, status: "", connection: "open" }));
const whole = partsOf(events);

it("finds nothing wrong with screens that follow the log", () => {
  const after = withEvent(open, first as never).parts;
  expect(problemsOf(screensOf([], before.parts, open.parts, open.parts, after, whole), { events })).toEqual([]);
});

it.each<[string, Parts[], RegExp]>([
  ["a stored part that went away", [whole, before.parts, whole], /settled parts/],
  ["a part that the log does not have", [[{ type: "text", content: "aaaaaaad" }], whole], /settled parts/],
  ["a text that stands there twice", [[...before.parts, ...twice("aaaaaaaa aaaaaaab")], whole], /twice/],
  ["letters that the log does not have", [withPieces(before, [{ ...piece, text: "b" }]).parts, whole], /another text/],
  ["an end that is not the log", [whole, open.parts], /the last screen/],
])("finds %s", (_, screens, problem) => {
  expect(problemsOf(screensOf(...screens), { events }).join("\n")).toMatch(problem);
});

function twice(content: string): Part[] {
  return [
    { type: "text", content },
    { type: "text", content, open: true, unit: 1 },
  ];
}
