import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { callLine, resultLine } from "./call-lines.ts";

const stream = Object.assign(new Writable(), { columns: 120 }) as unknown as NodeJS.WriteStream;

describe("the line of a call", () => {
  it.each([
    ["a zero width joiner", "\u200d", "\\u200d"],
    ["a tag letter", "\u{e0065}", "\\u{e0065}"],
    ["a variation selector", "\ufe0f", "\\ufe0f"],
    ["a Hangul filler", "\u3164", "\\u3164"],
    ["a braille blank", "\u2800", "\\u2800"],
    ["an object replacement", "\ufffc", "\\ufffc"],
    ["a musical control", "\u{1d173}", "\\u{1d173}"],
    ["a soft hyphen", "\u00ad", "\\u00ad"],
    ["a right-to-left override", "\u202e", "\\u202e"],
  ])("shows %s", (_, mark, shown) => {
    expect(callLine({ name: "shell", args: { command: `a${mark}b` } }, stream)).toContain(`a${shown}b`);
    const refusal = { tool: "shell", status: "failure", content: `allow 'shell:a${mark}b'` } as const;
    expect(resultLine(refusal, stream)).toContain(`a${shown}b`);
  });
});
