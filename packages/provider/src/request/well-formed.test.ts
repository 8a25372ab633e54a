import { describe, expect, it } from "vitest";
import { wellFormed, wellFormedJson } from "./well-formed.ts";

const half = "a\ud83d";

describe("wellFormed", () => {
  it("replaces half characters in texts and keys, at any depth", () => {
    expect(wellFormed({ [half]: [half, { deep: "\udc4d" }], whole: "👍" })).toEqual({
      "a\ufffd": ["a\ufffd", { deep: "\ufffd" }],
      whole: "👍",
    });
  });

  it.each([["👍 text"], [12], [null], [undefined], [{ a: ["b", { c: null }] }], [new Uint8Array(2)], [new Date(0)]])(
    "returns %j itself",
    (value) => {
      expect(wellFormed(value)).toBe(value);
    },
  );

  it("keeps the parts that are well-formed", () => {
    const good = { a: ["b"] };
    const whole = wellFormed({ good, bad: half });
    expect(whole.good).toBe(good);
  });
});

describe("wellFormedJson", () => {
  it.each([
    ['{"a":"/[\\ud800-\\udbff]x/"}', '{"a":"/[\ufffd-\ufffd]x/"}'],
    ['{"a":"\\ud83d\\udc4d"}', '{"a":"\\ud83d\\udc4d"}'],
    ['{"a":"\\\\ud800"}', '{"a":"\\\\ud800"}'],
    ['{"n":1.50}', '{"n":1.50}'],
    ["no JSON \\ud800", "no JSON \\ud800"],
    [`{"a":"${half}"}`, '{"a":"a\ufffd"}'],
  ])("makes of %s %s", (text, expected) => {
    expect(wellFormedJson(text)).toBe(expected);
  });
});
