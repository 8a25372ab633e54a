import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { lineRanges } from "./spans.ts";

describe("applyEdits", () => {
  it.each<[what: string, text: string, edits: Edit[], expected: string, replaced: number]>([
    ["one edit", "a b c", [{ old: "b", new: "x" }], "a x c", 1],
    ["an edit that removes", "a b c", [{ old: " b", new: "" }], "a c", 1],
    ["dollar signs as they are", "price", [{ old: "price", new: "$& $1 $$" }], "$& $1 $$", 1],
    [
      "edits in order, each on what the ones before left",
      "a",
      [
        { old: "a", new: "b" },
        { old: "b", new: "c" },
      ],
      "c",
      2,
    ],
    ["every occurrence with all", "a-a-a", [{ old: "a", new: "aa", all: true }], "aa-aa-aa", 3],
    ["overlapping occurrences from the left with all", "aaaa", [{ old: "aa", new: "b", all: true }], "bb", 2],
    ["an old text of several lines", "a\nb\nc\n", [{ old: "a\nb", new: "x" }], "x\nc\n", 1],
    ["CRLF for LF in a file of CRLF", "a\r\nb\r\nc\r\n", [{ old: "a\nb", new: "x\ny" }], "x\r\ny\r\nc\r\n", 1],
    ["CRLF as it is in a file of CRLF", "a\r\nb\r\n", [{ old: "a\r\nb", new: "x\r\ny" }], "x\r\ny\r\n", 1],
    ["line ends as they are in a mixed file", "a\r\nb\n", [{ old: "a", new: "x\ny" }], "x\ny\r\nb\n", 1],
    ["a file without line ends", "ab", [{ old: "a", new: "x\n" }], "x\nb", 1],
    ["a text after a byte order mark", "\ufeffa", [{ old: "a", new: "b" }], "\ufeffb", 1],
  ])("applies %s", (_, text, edits, expected, replaced) => {
    expect(applyEdits(text, edits)).toMatchObject({ text: expected, replaced, failures: [] });
  });

  it.each<[what: string, text: string, edits: Edit[], failures: object[]]>([
    ["what is not there", "a", [{ old: "b", new: "c" }], [{ edit: 1, reason: "not_found", lines: [] }]],
    ["what is there twice", "b\na\nb", [{ old: "b", new: "c" }], [{ edit: 1, reason: "ambiguous", lines: [1, 3] }]],
    ["what overlaps itself", "\naaa", [{ old: "aa", new: "c" }], [{ edit: 1, reason: "ambiguous", lines: [2, 2] }]],
    ["what changes nothing", "a", [{ old: "a", new: "a" }], [{ edit: 1, reason: "no_change" }]],
    ["what is not there, also with all", "a", [{ old: "b", new: "c", all: true }], [{ reason: "not_found" }]],
    [
      "each that fails, by its number",
      "a b b",
      [
        { old: "x", new: "y" },
        { old: "a", new: "c" },
        { old: "b", new: "d" },
        { old: "a", new: "e" },
      ],
      [
        { edit: 1, reason: "not_found" },
        { edit: 3, reason: "ambiguous" },
        { edit: 4, reason: "not_found" },
      ],
    ],
  ])("refuses %s", (_, text, edits, failures) => {
    expect(applyEdits(text, edits).failures).toMatchObject(failures);
  });

  it("names at most twenty lines of an ambiguous edit, and says that there are more", () => {
    const [failure] = applyEdits("b\n".repeat(100), [{ old: "b", new: "c" }]).failures;
    expect(failure).toMatchObject({ hasMore: true });
    expect(failure?.lines).toHaveLength(20);
  });

  it("returns where each new text stands after all edits", () => {
    const word = fc.stringMatching(/^[ab\n]{1,3}$/);
    const edits = fc.array(fc.record({ old: word, new: word, all: fc.constant(true) }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.stringMatching(/^[abc\n]{0,60}$/), edits, (text, given) => {
        const applied = applyEdits(text, given);
        expect(applied.spans.every(({ start, end }) => 0 <= start && start <= end && end <= applied.text.length)).toBe(
          true,
        );
        const touched = lineRanges(applied.text, applied.spans);
        const lines = applied.text.split("\n");
        expect(touched.every(([from, to]) => 1 <= from && from <= to && to <= lines.length)).toBe(true);
        // All lines outside the returned ranges were there before, in the same order.
        const kept = lines.filter((_, index) => !touched.some(([from, to]) => from - 1 <= index && index < to));
        let from = 0;
        for (const line of kept) {
          const at = text.indexOf(line, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + line.length;
        }
      }),
    );
  });

  it.each<[text: string, edits: Edit[], lines: number[][]]>([
    ["a\nb\nc\n", [{ old: "b", new: "x" }], [[2, 2]]],
    ["a\nb\nc\n", [{ old: "b\n", new: "" }], [[2, 2]]],
    ["a\nb\nc\n", [{ old: "b\n", new: "x\ny\n" }], [[2, 3]]],
    [
      "a\nb\nc\nd\ne\n",
      [
        { old: "e", new: "x" },
        { old: "a\n", new: "1\n2\n3\n" },
      ],
      [
        [1, 3],
        [7, 7],
      ],
    ],
    [
      "a\nb\na\n",
      [{ old: "a", new: "x", all: true }],
      [
        [1, 1],
        [3, 3],
      ],
    ],
    [
      "a\nb\n",
      [
        { old: "a", new: "x" },
        { old: "b", new: "y" },
      ],
      [[1, 2]],
    ],
  ])("edits %j by %j and returns the new lines %j", (text, edits, lines) => {
    const applied = applyEdits(text, edits);
    expect(lineRanges(applied.text, applied.spans)).toEqual(lines);
  });
});
