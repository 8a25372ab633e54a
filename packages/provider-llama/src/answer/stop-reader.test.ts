import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopReader } from "./stop-reader.ts";

describe("StopReader", () => {
  it("passes on what stands before the first mark, however the text is cut", () => {
    const letters = (maxLength: number, minLength = 0) =>
      fc.array(fc.constantFrom("a", "b", "c"), { minLength, maxLength }).map((all) => all.join(""));
    fc.assert(
      fc.property(
        letters(30),
        fc.array(letters(3, 1), { maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        (text, marks, size) => {
          const reader = new StopReader(marks);
          let passed = "";
          for (let at = 0; at < text.length && !reader.isOver; at += size)
            passed += reader.write(text.slice(at, at + size));
          if (!reader.isOver) passed += reader.end();
          const found = marks.map((mark) => text.indexOf(mark)).filter((at) => at !== -1);
          expect(reader.isOver).toBe(found.length > 0);
          // A piece may hold the ends of two marks: the one that begins first counts.
          if (size === 1) expect(text.startsWith(passed)).toBe(true);
          expect(marks.some((mark) => passed.includes(mark))).toBe(false);
          if (found.length === 0) expect(passed).toBe(text);
        },
      ),
    );
  });

  it("ignores an empty mark", () => {
    expect(new StopReader([""]).write("text")).toBe("text");
  });
});
