import { describe, expect, it } from "vitest";
import { ToolError } from "../errors.ts";
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
  it("are refused by a sentence that says which, before a member is read", () => {
    const { value, reads } = counted(200_001);
    expect(() => toJson(value)).toThrow(ToolError);
    expect(() => toJson(value)).toThrow(
      "it holds more than 200000 values, the limit of one result. Return a part of it, or write it to a file and return its name.",
    );
    expect(reads()).toBe(0);
  });
});
