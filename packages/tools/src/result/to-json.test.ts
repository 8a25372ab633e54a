import { describe, expect, it } from "vitest";
import { toJson } from "./to-json.ts";

/** An object of so many members that counts how many of them are read. */
function counted(members: number): { value: object; reads(): number } {
  let reads = 0;
  const target = Object.fromEntries(Array.from({ length: members }, (_, n) => [`k${n}`, n]));
  const value = new Proxy(target, {
    get(object, key) {
      if (typeof key === "string" && key.startsWith("k")) reads++;
      return Reflect.get(object, key);
    },
  });
  return { value, reads: () => reads };
}

describe("the limits of a result", () => {
  it.each([1000, 10_000, 100_000])("cost one read for each member below them: %i", (members) => {
    const { value, reads } = counted(members);
    expect(Object.keys(toJson(value) as object)).toHaveLength(members);
    expect(reads()).toBe(members);
  });

  it.each<[string, unknown, string]>([
    ["members of several objects", [counted(150_000).value, counted(150_000).value], "200000 values"],
    ["a set", new Set(Array.from({ length: 200_001 }, (_, n) => n)), "200000 values"],
    ["a map", new Map(Array.from({ length: 200_001 }, (_, n) => [`${n}`, n])), "200000 values"],
    ["an array with holes", new Array(1_000_000_000), "200000 values"],
    ["a view of numbers", new Float64Array(200_001), "200000 values"],
    ["texts", Array.from({ length: 40 }, () => "x".repeat(1_000_000)), "33554432 characters"],
    ["keys", { ["k".repeat(34_000_000)]: 1 }, "33554432 characters"],
  ])("count all of %s", (_, value, limit) => {
    expect(() => toJson(value)).toThrow(`it holds more than ${limit}`);
  });
});
