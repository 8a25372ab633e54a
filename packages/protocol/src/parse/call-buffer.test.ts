import { describe, expect, it } from "vitest";
import { calls, readSettled } from "../../test/read.ts";

describe("the text of a call", () => {
  it("may be of any length, and come in pieces of any size, also pieces of a pair or an escape", () => {
    const args = { a: '🚀\\"\n\u0001é'.repeat(700), "b\n": "x".repeat(3_000), c: ['\\"'.repeat(1_500)] };
    const content = JSON.stringify({ name: "w", args });
    const loose = content.replace('{"name"', '{ "note":"\\u0041\\/", "name"');
    for (const text of [`<execute>[${content}]</execute>`, `<execute>[${loose}, ${content}]</execute>`]) {
      const whole = calls(text);
      expect(new Set(whole)).toEqual(new Set([content]));
      for (const size of [1, 2, 3, 7, 1_000, 1_025, 1_500]) {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        const events = readSettled(chunks.flatMap((chunk) => ["", chunk])).filter((event) => event.type === "call");
        expect(events.map((event) => "content" in event && event.content)).toEqual(whole);
      }
    }
  });

  it.each([
    ["\\x", ""],
    ["\\x", "y".repeat(5_000)],
    ["\\u00", "g"],
    ["\n", "y".repeat(5_000)],
  ])("P6 refuses %j in a long string, wherever the text is cut", (bad, after) => {
    for (const before of [0, 1, 1_022, 1_023, 1_024, 1_025, 3_000]) {
      const [start, end] = [`<execute>[{"name":"w","args":{"a":"${"y".repeat(before)}`, `${after}"}}]</execute>`];
      const chunkings = [
        [start, bad.charAt(0), "", bad.slice(1), end],
        [start + bad.charAt(0), "", bad.slice(1) + end],
        [start, bad, ...(end.match(/.{1,700}/g) ?? [])],
        [start + bad + end],
      ];
      for (const chunks of chunkings) {
        const error = { code: "malformed_execute", position: expect.any(Number) };
        expect(readSettled(chunks)).toMatchObject([error]);
      }
    }
  });
});
