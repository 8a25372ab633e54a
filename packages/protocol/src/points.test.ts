import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "./events.ts";
import { isPointName, pointsOf } from "./points.ts";

const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });
const point = (name: unknown, at: unknown) =>
  ({ type: "record", kind: "point", data: { name, at }, timestamp: 1 }) as LogEvent;

describe("pointsOf", () => {
  it("returns the named points by their place; the last record of a name counts", () => {
    const log = [said("a"), point("start", 1), said("b"), point("later", 3), point("start", 2), point("also", 2)];
    expect(pointsOf(log)).toEqual([
      { name: "start", at: 2 },
      { name: "also", at: 2 },
      { name: "later", at: 3 },
    ]);
  });

  it("leaves out a name that was taken back, until it is given again", () => {
    const log = [said("a"), point("start", 1), point("start", 0)];
    expect(pointsOf(log)).toEqual([]);
    expect(pointsOf([...log, point("start", 2)])).toEqual([{ name: "start", at: 2 }]);
  });

  it.each([
    ["a point beyond the events before the record", point("a", 2)],
    ["a negative number", point("a", -1)],
    ["a part of an event", point("a", 0.5)],
    ["a text as a number", point("a", "1")],
    ["a name that is no text", point(7, 1)],
    ["an escape sequence", point("a\u001b[2J", 1)],
    ["a name of two lines", point("a\nb", 1)],
    ["a mark that turns the direction", point("a\u202eb", 1)],
    ["a mark that is not seen", point("a\u200bb", 1)],
    ["half a character", point("a\ud83d", 1)],
    ["an empty name", point("", 1)],
    ["a space at the end", point("a ", 1)],
    ["a long name", point("x".repeat(61), 1)],
    ["no data", { type: "record", kind: "point", timestamp: 1 } as unknown as LogEvent],
  ])("ignores %s", (_, record) => {
    expect(pointsOf([said("a"), record])).toEqual([]);
  });

  it("never throws, and returns only names that fit and places within the log, whatever a log holds", () => {
    const data = fc.oneof(fc.jsonValue(), fc.record({ name: fc.jsonValue(), at: fc.jsonValue() }));
    const records = data.map((data) => ({ type: "record", kind: "point", data, timestamp: 1 }) as unknown as LogEvent);
    const named = fc.record({
      name: fc.string({ unit: fc.constantFrom("a", " ", "\u001b", "\n", "\u202e", "\ud83d", "😀"), maxLength: 65 }),
      at: fc.integer({ min: -2, max: 12 }),
    });
    const any = fc.oneof(
      fc.constant(said("x")),
      records,
      named.map(({ name, at }) => point(name, at)),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (log) => {
        for (const { name, at } of pointsOf(log)) {
          expect(isPointName(name)).toBe(true);
          expect(at).toBeGreaterThan(0);
          expect(at).toBeLessThan(log.length);
        }
      }),
      randomRuns(60),
    );
  });
});

describe("isPointName", () => {
  it.each(["a", "before the big change", "späť", "x".repeat(60), "😀".repeat(60)])("takes %s", (name) => {
    expect(isPointName(name)).toBe(true);
  });

  it("does not take a name of more than 60 characters", () => {
    expect(isPointName("😀".repeat(61))).toBe(false);
  });
});
