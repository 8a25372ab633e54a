import type { LogEvent } from "@cogency/protocol";
import type { UndoEntry } from "@cogency/toolbox/undo";
import { expect, it } from "vitest";
import { treeTurns } from "./tree-turns.ts";

const said = (content: string, timestamp: number): LogEvent => ({ type: "user", content, timestamp });
const answered = (timestamp: number): LogEvent => ({ type: "respond", content: "yes", timestamp });
const called = (id: string, timestamp: number): LogEvent => ({ type: "call", content: "{}", id, timestamp });
const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 9 }) as LogEvent;
const entry = (call: string, time: number, ...files: string[]) =>
  ({ kind: "change", id: call, call, time, files: files.map((file) => ({ file })) }) as unknown as UndoEntry;

it("has each turn with its points, the files that it changed, the undos in it, and whether a summary hides it", () => {
  const log = [
    ...[said("one", 1), answered(2), said("two", 3), called("c", 4), answered(5), said("three", 6), answered(7)],
    ...[record("point", { name: "early", at: 1 }), record("point", { name: "two", at: 2 })],
    ...[record("summary", { upTo: 2, text: "so" }), record("point", { name: "end", at: 9 })],
  ];
  const entries = [entry("c", 4, "a", "b"), entry("c", 4, "a"), entry("undo_1", 6.5, "a"), entry("lost", 7, "x")];
  expect(treeTurns(log, entries)).toEqual([
    {
      number: 1,
      text: "one",
      at: 0,
      time: 1,
      points: [],
      within: [{ name: "early", at: 1 }],
      isSummedUp: true,
      files: 0,
      undos: 0,
    },
    {
      number: 2,
      text: "two",
      at: 2,
      time: 3,
      points: [{ name: "two", at: 2 }],
      within: [],
      isSummedUp: false,
      files: 2,
      undos: 0,
    },
    {
      number: 3,
      text: "three",
      at: 5,
      time: 6,
      points: [],
      within: [{ name: "end", at: 9 }],
      isSummedUp: false,
      files: 1,
      undos: 1,
    },
  ]);
});

it("takes a point for the beginning of a turn if only records stand between them, such as that of its name", () => {
  const log = [
    said("one", 1),
    answered(2),
    record("usage", {}),
    record("point", { name: "end", at: 3 }),
    said("two", 3),
  ];
  expect(treeTurns(log, []).map(({ points, within }) => [points, within])).toEqual([
    [[], []],
    [[{ name: "end", at: 3 }], []],
  ]);
});

it("reads a log of 10,000 turns with 1,000 names and the changes of each turn, each event a few times", () => {
  const turns = Array.from({ length: 10_000 }, (_, n) => [said(`${n}`, n), called(`c${n}`, n), answered(n)]).flat();
  const names = Array.from({ length: 1000 }, (_, n) => record("point", { name: `p${n}`, at: n * 30 + 1 }));
  const entries = Array.from({ length: 10_000 }, (_, n) => entry(`c${n}`, n, "a"));
  const found = treeTurns([...turns, ...names], entries);
  expect(found).toHaveLength(10_000);
  expect(found.flatMap(({ points, within }) => [...points, ...within])).toHaveLength(1000);
  expect(found.every(({ files }) => files === 1)).toBe(true);
});
