import { expect, it } from "vitest";
import { linesOfCalls } from "./lines-of-calls.ts";
import type { JournalLine } from "./records.ts";

const place = { time: 1, root: "/r", access: "project" } as const;
const change = (call: string, tool = "write"): JournalLine => ({
  kind: "change",
  id: `of ${call}`,
  call,
  tool,
  files: [],
  ...place,
});

it.each<[string, JournalLine[], string]>([
  ["what the calls changed", [change("one"), change("two"), change("other")], "one two"],
  ["an undo of these calls", [change("one"), change("undo_1", "undo"), change("two")], "one undo_1 two"],
  ["no undo after another call", [change("one"), change("other"), change("undo_1", "undo"), change("two")], "one two"],
])("chooses %s", (_, lines, calls) => {
  const found = linesOfCalls(lines, new Set(["one", "two"]));
  expect(found.map((line) => line.kind === "change" && line.call).join(" ")).toBe(calls);
});

it("chooses how the changes and commands of the calls ended", () => {
  const lines: JournalLine[] = [
    change("one"),
    { kind: "command", id: "c", call: "two", ...place },
    change("other"),
    { kind: "done", change: "of one", files: ["a"] },
    { kind: "discarded", change: "of other" },
    { kind: "ended", command: "c", files: [], isComplete: true },
  ];
  expect(linesOfCalls(lines, new Set(["one", "two"]))).toEqual([lines[0], lines[1], lines[3], lines[5]]);
});
