import { createHash } from "node:crypto";
import type { Json } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsHash, canonicalJson } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it.each<[string, Json, string]>([
    ["sorts keys at every depth", { b: [{ d: 1, c: 2 }], a: null }, '{"a":null,"b":[{"c":2,"d":1}]}'],
    [
      "sorts by UTF-16 code units",
      { "\u{1F600}": 1, "\uFB33": 2, a: 3, A: 4, "10": 5, "9": 6 },
      '{"10":5,"9":6,"A":4,"a":3,"\u{1F600}":1,"\uFB33":2}',
    ],
    ["keeps the order of arrays", [3, 1, 2], "[3,1,2]"],
    ["writes -0 as 0", [-0, 0], "[0,0]"],
    ["writes numbers as JSON.stringify does", [1e21, 1.5, 1e-7, 100], "[1e+21,1.5,1e-7,100]"],
    ["escapes what JSON escapes", ['"\\\n\u2028\uD800'], '["\\"\\\\\\n\u2028\\ud800"]'],
    ["writes plain values", [true, false, null, ""], '[true,false,null,""]'],
    ["writes empty containers", { a: {}, b: [] }, '{"a":{},"b":[]}'],
  ])("%s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("keeps a key __proto__ as data", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  it("writes 256 levels", () => {
    const text = "[".repeat(256) + "]".repeat(256);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it("gives the same text for any order of keys, and loses nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(reversed(value as Json))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

function reversed(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)] as const);
  return Object.fromEntries(entries.reverse());
}

describe("argumentsHash", () => {
  it("is the SHA-256 of the canonical JSON in UTF-8", async () => {
    const expected = createHash("sha256").update('{"a":{"é":"\u{1F600}"},"b":[1]}', "utf8").digest("hex");
    expect(await argumentsHash({ b: [1], a: { é: "\u{1F600}" } })).toBe(expected);
    expect(await argumentsHash({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });

  it("depends on everything in the arguments except the order of keys", async () => {
    const hash = await argumentsHash({ command: "ls", options: { all: true, depth: 2 } });
    expect(await argumentsHash({ options: { depth: 2, all: true }, command: "ls" })).toBe(hash);
    const others = [
      { command: "ls ", options: { all: true, depth: 2 } },
      { command: "ls", options: { all: true, depth: "2" } },
      { command: "ls", options: { all: true } },
      {
        command: "ls",
        options: [
          ["all", true],
          ["depth", 2],
        ],
      },
    ];
    for (const other of others) expect(await argumentsHash(other)).not.toBe(hash);
  });
});
