import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { costOf } from "../figures/cost.ts";
import { figuresIn, svg } from "./svg.ts";
import { documents, picture, textOf, withTables } from "./write-report.ts";

const kept = readFileSync(picture, "utf8");

it("has the picture drawn from the figures in it; else run `pnpm --filter @tooling/token-cost bench --write`", () => {
  expect(svg(figuresIn(kept))).toBe(kept);
});

it.each(documents)("has the tables of $path made of the figures in the picture", ({ path, tables }) => {
  const text = textOf(path);
  expect(
    withTables(
      text,
      tables.map((table) => table(figuresIn(kept))),
    ),
  ).toBe(text);
});

it("has what the text protocol adds to native calls in the words of the README", () => {
  const [json, native] = ["json", "native"].map((name) => figuresIn(kept).forms.find(({ form }) => form === name));
  const more = (key: "fixed" | "turn", step: number) =>
    Math.round(((json?.[key] ?? Number.NaN) - (native?.[key] ?? Number.NaN)) / step) * step;
  const words = `the text protocol adds ${more("fixed", 100)} tokens to the system prompt and ${more("turn", 10)} to a turn`;
  expect(textOf("README.md")).toContain(words);
});

it("refuses a document without a table of that name, and leaves all else of a document as it is", () => {
  const table = [
    ["sums", "b"],
    ["x", "1"],
  ];
  expect(() => withTables("# A page\n", [table])).toThrow(/no table whose head begins with "sums"/);
  const text = "# A page\n\n| sums | old |\n| --- | ---: |\n| x | 2 |\n| y | 3 |\n\nMore.\n";
  expect(withTables(text, [table])).toBe("# A page\n\n| sums | b |\n| --- | ---: |\n| x | 1 |\n\nMore.\n");
});

it("bills a cached token and a written one at their own prices", () => {
  const turns = [
    { input: 1000, cached: 0, written: 800 },
    { input: 2000, cached: 800, written: 1000 },
  ];
  expect(costOf(turns, { cached: 0.1, written: 1.25 })).toBe(400 + 80 + 2250);
});
