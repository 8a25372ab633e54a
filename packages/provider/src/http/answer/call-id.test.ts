import { describe, expect, it } from "vitest";
import { callId } from "./call-id.ts";

describe("callId", () => {
  const taken = new Set(["call_a", "call_1", "call_2"]);
  it.each<[given: unknown, index: number, id: string]>([
    ["call_b", 0, "call_b"],
    ["A-z_0", 0, "A-z_0"],
    ["x".repeat(40), 0, "x".repeat(40)],
    ["x".repeat(41), 0, "call_0"],
    ["call_a", 4, "call_4"],
    ["call_a", 1, "call_3"],
    ["", 1, "call_3"],
    ["a.b:c", 0, "call_0"],
    ["call_b\n", 0, "call_0"],
    [undefined, 5, "call_5"],
    [7, 5, "call_5"],
  ])("turns %j at %i into the id %s", (given, index, id) => {
    expect(callId(given, index, (other) => taken.has(other))).toBe(id);
  });
});
