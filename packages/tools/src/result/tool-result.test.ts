import type { Json } from "@cogency/protocol";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import { toJson } from "./to-json.ts";
import { toToolResult } from "./tool-result.ts";

describe("toJson", () => {
  const shared = { n: 1 };

  it.each<[string, unknown, Json]>([
    ["undefined", undefined, null],
    ["undefined in an object", { a: undefined }, { a: null }],
    ["undefined and holes in an array", Object.assign(new Array(3), { 0: undefined, 2: 1 }), [null, null, 1]],
    ["a bigint", 12345678901234567890n, "12345678901234567890"],
    ["functions and symbols", { f: () => 1, s: Symbol("s") }, { f: null, s: null }],
    ["numbers that are none", [Number.NaN, Infinity, -Infinity], ["NaN", "Infinity", "-Infinity"]],
    ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["an invalid date", new Date(Number.NaN), null],
    ["toJSON", { toJSON: () => ({ big: 1n }) }, { big: "1" }],
    ["toJSON that returns its object", selfish(), { a: 1, toJSON: null }],
    ["a URL", new URL("https://example.com/a"), "https://example.com/a"],
    ["a map with string keys", new Map([["a", new Set([1])]]), { a: [1] }],
    [
      "another map",
      new Map<unknown, unknown>([
        [1, "a"],
        ["b", 2],
      ]),
      [
        [1, "a"],
        ["b", 2],
      ],
    ],
    ["an error", { error: new TypeError("wrong") }, { error: "wrong" }],
    ["an error without a message", new TypeError(), "TypeError"],
    ["an error that shows its request", Object.assign(new Error("failed"), { toJSON: () => "secret" }), "failed"],
    ["lone surrogates", { "\ud800k": "a\udfffb" }, { "\ufffdk": "a\ufffdb" }],
    ["bytes", { data: new Uint8Array(3) }, { data: "[binary data, 3 bytes]" }],
    ["a buffer", Buffer.from("abc"), "[binary data, 3 bytes]"],
    ["an array buffer", new ArrayBuffer(8), "[binary data, 8 bytes]"],
    ["numbers in a typed array", new Float32Array([1.5, 2]), [1.5, 2]],
    ["boxed values", [Object(1), Object("s"), Object(false)], [1, "s", false]],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      "an instance of a class",
      new (class Point {
        x = 1;
      })(),
      { x: 1 },
    ],
    ["what appears twice without a cycle", [shared, shared], [{ n: 1 }, { n: 1 }]],
  ])("makes %s explicit", (_, value, expected) => {
    expect(toJson(value)).toEqual(expected);
  });

  it("leaves JSON as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(JSON.stringify(toJson(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("never returns a value that JSON would change", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          const json = toJson(value);
          expect(JSON.parse(JSON.stringify(json))).toEqual(normalized(json));
        },
      ),
    );
  });

  it("keeps a key __proto__ as data", () => {
    const json = toJson(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ["a cycle", circular(), "cycle"],
    ["a cycle through a map", circularMap(), "cycle"],
    ["nesting that would overflow the stack", nested(100_000), "too_deep"],
    ["nesting one level too deep for a reader", nested(255), "too_deep"],
    ["an object that grows when written out", doubling(60), "too_large"],
    ["an array with a billion holes", new Array(1_000_000_000), "too_large"],
  ])("refuses %s", (_, value, code) => {
    expect(() => toJson(value)).toThrow(ToolError);
    expect(() => toJson(value)).toThrow(expect.objectContaining({ code }));
  });

  it("accepts nesting as deep as the parser of results does", () => {
    expect(JSON.stringify(toJson(nested(254)))).toHaveLength(2 * 254);
  });
});

describe("toToolResult", () => {
  it.each<[string, Partial<ToolExecution>, { status: string; content: Json }]>([
    ["a value", { outcome: "success", value: { bytes: 22 } }, { status: "success", content: { bytes: 22 } }],
    ["nothing returned", { outcome: "success", value: undefined }, { status: "success", content: null }],
    [
      "a failure",
      { outcome: "failure", error: new Error("File not found: a\ud800") },
      { status: "failure", content: "File not found: a\ufffd" },
    ],
    [
      "an error without a message",
      { outcome: "failure", error: new RangeError() },
      { status: "failure", content: "RangeError" },
    ],
    ["a block without an error", { outcome: "blocked" }, { status: "failure", content: "blocked" }],
    [
      "a denial",
      { outcome: "denied", error: new Error("refused: not today") },
      { status: "failure", content: "refused: not today" },
    ],
  ])("shows the model %s", (_, execution, expected) => {
    expect(toToolResult(executed(execution))).toEqual({ tool: "read", ...expected });
  });

  it.each([
    ["a cycle", circular(), "contains itself"],
    [
      "a getter that throws",
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => {
          throw new Error("no access");
        },
      }),
      "no access",
    ],
    ["a revoked proxy", revoked(), "cannot be shown"],
    [
      "a getter that throws what cannot be read",
      {
        get a() {
          throw revoked();
        },
      },
      "cannot be shown",
    ],
  ])("turns %s into a failure that says so", (_, value, text) => {
    const result = toToolResult(executed({ outcome: "success", value }));
    expect(result).toMatchObject({ status: "failure", content: expect.stringContaining(text) });
  });
});

function executed(more: Partial<ToolExecution>): ToolExecution {
  const call = { id: "call_1", name: "read", args: {} };
  return { id: call.id, call, outcome: "success", settled: true, started: true, startedAt: 1, completedAt: 2, ...more };
}

function selfish(): object {
  return {
    a: 1,
    toJSON() {
      return this;
    },
  };
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value.list = [value];
  return value;
}

function circularMap(): object {
  const map = new Map<string, unknown>();
  return map.set("self", map);
}

function nested(levels: number): unknown[] {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

/** Small in memory, 2^levels values on paper. */
function doubling(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** JSON knows one zero. */
function normalized(json: Json): Json {
  if (typeof json === "number") return json + 0;
  if (Array.isArray(json)) return json.map(normalized);
  if (json === null || typeof json !== "object") return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, normalized(value)]));
}
