import { describe, expect, it } from "vitest";
import { events, read } from "../../test/read.ts";
import { maxCallLength, maxCalls } from "./call-shape.ts";
import type { ParserOptions } from "./parser.ts";

const xml: ParserOptions = { dialect: "xml" };
const tooLong = /longer than 16777216 characters; write long content in parts/;

/** A block with one call of this length, and what begins it and ends it. */
function callOfLength(length: number, [before, after]: readonly [string, string]): string {
  return `<execute>${before}${"x".repeat(length - before.length - after.length + before.search(/[{<]/))}${after}`;
}

const shapes = {
  json: ['[{"name":"w","args":{"a":"', '"}}'],
  xml: ["<w><a>", "</a></w>"],
} as const;

/** Cuts into pieces, also directly before and after the limit. */
function cuts(text: string, limit: number): string[][] {
  const at = (...indices: number[]) => [0, ...indices].map((from, i) => text.slice(from, indices[i]));
  return [[text], at(limit), at(limit - 1, limit, limit + 1), at(1000, 10_000_000, limit + 1)];
}

describe("the limits of a block", () => {
  it.each([
    ["JSON", {}, "<execute>[", '{"name":"w","args":{}},', 1, "]</execute>"],
    ["XML", xml, "<execute>", "<w></w>", 0, "</execute>"],
  ])(
    "P16 reads as many calls as are allowed, and refuses one more at its last character: %s",
    (_dialect, options, begin, call, comma, end) => {
      const most = begin + call.repeat(maxCalls).slice(0, call.length * maxCalls - comma) + end;
      expect(read([most], options).filter(({ type }) => type === "call")).toHaveLength(maxCalls);
      expect(events(most, options).at(-1)).toEqual({ type: "execute" });
      const more = begin + call.repeat(maxCalls + 5);
      for (const chunks of [[more], more.match(/.{1,1000}/g) ?? []]) {
        expect(events(chunks, options)).toEqual([
          {
            type: "error",
            code: "malformed_execute",
            position: begin.length + call.length * (maxCalls + 1) - comma - 1,
            content: expect.stringMatching(/more than 10000 calls in one block; write fewer/),
          },
        ]);
      }
    },
  );

  it.each([
    ["json", "json", {}],
    ["json with repair and deltas", "json", { repair: true, callDeltas: true }],
    ["xml", "xml", xml],
  ] as const)(
    "P16 reads a call of the greatest length, and refuses a longer one at the same place however it is cut: %s, %s",
    (_what, shape, options) => {
      const { length } = "<execute>";
      const [before] = shapes[shape];
      const position = length + before.search(/[{<]/) + maxCallLength;
      const most = callOfLength(maxCallLength, shapes[shape]);
      for (const chunks of cuts(most, position)) expect(read(chunks, options).at(-2)?.type).toBe("call");
      const fault = { type: "error", code: "malformed_execute", position, content: expect.stringMatching(tooLong) };
      for (const more of [
        callOfLength(maxCallLength + 1, shapes[shape]),
        callOfLength(maxCallLength + 1000, shapes[shape]),
        // Also where another fault comes behind the limit.
        `${callOfLength(maxCallLength + 1000, shapes[shape])}!`,
        `${callOfLength(maxCallLength + 1000, shapes[shape]).slice(0, -1)}!`,
      ]) {
        for (const chunks of cuts(more, position)) expect(events(chunks, options)).toEqual([fault]);
      }
    },
  );
});
