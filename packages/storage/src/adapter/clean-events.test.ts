import { runInNewContext } from "node:vm";
import type { JsonObject, LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { InvalidEventError } from "../errors.ts";
import { cleanEvents } from "./clean-events.ts";

const user: LogEvent = { type: "user", content: "x", timestamp: 1 };

function refusal(event: unknown): unknown {
  try {
    cleanEvents([user, event as LogEvent]);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("cleanEvents", () => {
  it("names the event, its type and the path to a value that JSON cannot hold", () => {
    const error = refusal({ type: "record", kind: "summary", data: { items: [{ at: new Date(0) }] }, timestamp: 1 });
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error).toMatchObject({
      code: "invalid_event",
      index: 1,
      type: "record",
      message:
        "Event 1 of the batch (type record) cannot be stored: data.items[0].at is a Date, which JSON cannot hold.",
    });
  });

  it.each<[what: string, event: unknown, type: string | undefined, message: string]>([
    ["a type that is not persisted", { type: "metric", timestamp: 1 }, "metric", "a store keeps user, think, call, "],
    ["an event without a type", { content: "x", timestamp: 1 }, undefined, "(type missing)"],
    ["null", null, undefined, "(type missing)"],
    [
      "a timestamp of NaN",
      { type: "user", content: "x", timestamp: Number.NaN },
      "user",
      "its timestamp is not a finite",
    ],
    ["missing content", { type: "think", timestamp: 1 }, "think", "its content is not a string."],
    ["a bigint", { type: "cancelled", timestamp: 1, data: 1n }, "cancelled", "data is a bigint, which"],
    [
      "undefined in an array",
      { type: "cancelled", timestamp: 1, at: [1, undefined] },
      "cancelled",
      "at[1] is undefined",
    ],
  ])("refuses %s", (_, event, type, message) => {
    const error = refusal(event);
    expect(error).toMatchObject({ code: "invalid_event", index: 1, type });
    expect(String(error)).toContain(message);
  });

  it("shares no object with its input", () => {
    const data = { list: [1] };
    const [clean] = cleanEvents([{ type: "record", kind: "summary", data, timestamp: 1 }]);
    data.list.push(2);
    expect(clean).toEqual({ type: "record", kind: "summary", data: { list: [1] }, timestamp: 1 });
  });

  it.each([
    ["another realm", runInNewContext("({ a: 1 })") as JsonObject],
    ["no prototype", Object.assign(Object.create(null), { a: 1 }) as JsonObject],
  ])("accepts a plain object of %s", (_, data) => {
    const clean = { type: "record", kind: "summary", data: { a: 1 }, timestamp: 1 };
    expect(cleanEvents([{ type: "record", kind: "summary", data, timestamp: 1 }])).toEqual([clean]);
  });
});
