import { describe, expect, it } from "vitest";
import { assert, assertEqual, show } from "./assert.ts";

describe("assert", () => {
  it("throws the problem unless the condition holds", () => {
    expect(() => assert(true, "It is broken.")).not.toThrow();
    expect(() => assert(false, "It is broken.")).toThrow("It is broken.");
  });
});

describe("assertEqual", () => {
  class Point {
    x = 1;
  }

  it.each<[string, unknown, unknown]>([
    ["properties in another order", { a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["objects of one class", new Point(), new Point()],
    ["NaN", Number.NaN, Number.NaN],
    ["an own property `__proto__`", JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    ["errors that are the same", ...twice(new Error("a"))],
  ])("accepts %s", (_, actual, expected) => {
    expect(() => assertEqual(actual, expected, "the value")).not.toThrow();
  });

  it.each<[string, unknown, unknown]>([
    ["another number", 1, 2],
    ["0 and -0", 0, -0],
    ["a number and its text", 1, "1"],
    ["null and an object", null, {}],
    ["an array and an object", [], {}],
    ["a property that is undefined and none", { a: undefined }, {}],
    ["an undefined property of another name", { a: undefined }, { b: undefined }],
    ["an own property `__proto__` and none", JSON.parse('{"__proto__":{}}'), { a: {} }],
    ["a deep difference", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
    ["two dates", new Date(0), new Date(1)],
    ["two maps", new Map([[1, 1]]), new Map()],
    ["two errors", new Error("a"), new Error("b")],
  ])("rejects %s", (_, actual, expected) => {
    expect(() => assertEqual(actual, expected, "the value")).toThrow("the value: expected");
  });

  it("shows both values", () => {
    expect(() => assertEqual({ a: 1 }, undefined, "the event")).toThrow('the event: expected undefined, got {"a":1}.');
  });
});

describe("show", () => {
  it("cuts a long text and says how long it is", () => {
    expect(show("x".repeat(600))).toMatch(/^"x{499}… \(602 characters\)$/);
  });
});

function twice<Value>(value: Value): [Value, Value] {
  return [value, value];
}
