import { describe, expect, it } from "vitest";
import { maxCallLength } from "./call-shape.ts";
import { readModelJson } from "./model-json.ts";

const tooLong = /longer than 16777216 characters; write long content in parts/;

describe("the limits of a block", () => {
  it("P16 holds for JSON that stands alone", () => {
    const text = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`;
    expect(readModelJson(text(maxCallLength)).json).toHaveLength(maxCallLength);
    const fault = { position: maxCallLength, message: expect.stringMatching(tooLong) };
    expect(readModelJson(text(maxCallLength + 1))).toEqual({ fault });
    expect(readModelJson(text(maxCallLength + 1).slice(0, -1))).toEqual({
      fault: expect.objectContaining({ message: expect.stringMatching(/the end of the text/) }),
    });
  });
});
