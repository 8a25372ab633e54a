import { describe, expect, it } from "vitest";
import { tableLines } from "./table-lines.ts";

const head = ["conversation", "events", "title"];
const rows = [
  ["3f2c", "12", "mend the test that fails on Fridays"],
  ["notes", "3", "漢字 and more"],
];

describe("a table", () => {
  it("has columns as wide as their cells where that fits", () => {
    expect(tableLines(rows, { columns: 80, head, right: [1] })).toEqual([
      "conversation  events  title",
      "3f2c              12  mend the test that fails on Fridays",
      "notes              3  漢字 and more",
    ]);
  });

  it("wraps its cells between words in a narrow terminal", () => {
    expect(tableLines(rows, { columns: 40, head })).toEqual([
      "conversation  events  title",
      "3f2c          12      mend the test that",
      "                      fails on Fridays",
      "notes         3       漢字 and more",
    ]);
  });

  it("is a list in a terminal that is too narrow for its columns", () => {
    expect(tableLines(rows, { columns: 24, head })).toEqual([
      "3f2c",
      "    events: 12",
      "    title: mend the test",
      "    that fails on",
      "    Fridays",
      "notes",
      "    events: 3",
      "    title: 漢字 and more",
    ]);
  });

  it("keeps each row on a line where no terminal shows it", () => {
    const long = "word ".repeat(200).trim();
    expect(tableLines([["a", long]], { columns: Number.POSITIVE_INFINITY })).toEqual([`a  ${long}`]);
  });

  it("keeps the first column narrow, unless a word in it is longer", () => {
    const commands = [["/mode [ask or yes]", "whether calls ask"]];
    expect(tableLines(commands, { columns: 80, firstAtMost: 10 })).toEqual([
      "/mode [ask  whether calls ask",
      "or yes]",
    ]);
    expect(tableLines([["3f2c-4d5e-6f70", "a title"]], { columns: 80, firstAtMost: 10 })).toEqual([
      "3f2c-4d5e-6f70  a title",
    ]);
  });

  it("styles each line of a cell by its column and row, and counts the columns without the styles", () => {
    const style = (text: string, column: number, row: number) => `<${column},${row}>${text}`;
    expect(tableLines([["a", "b"]], { columns: 80, head: ["xy", "z"], style })).toEqual([
      "<0,-1>xy  <1,-1>z",
      "<0,0>a   <1,0>b",
    ]);
    expect(tableLines([], { columns: 80 })).toEqual([]);
  });
});
