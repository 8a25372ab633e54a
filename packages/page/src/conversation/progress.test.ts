import { expect, it } from "vitest";
import { lastLine, progressAfter } from "./progress.ts";

it("the last line of a call that runs is put together from what it prints", () => {
  let progress = "";
  for (const [text, line] of [
    ["one\ntw", "tw"],
    ["o\r50 %", "50 %"],
    ["\r\u001b[2K\u001b[32m100 %\u001b[0m\n\n", "100 %"],
    ["\u001b]8;;http://x\u0007a link\u001b]8;;\u001b\\", "a link"],
    [`\n${"x".repeat(600)}\n`, "x".repeat(500)],
  ] as const) {
    progress = progressAfter({ stream: "stdout", text }, progress);
    expect(lastLine(progress)).toBe(line);
  }
});

it.each([
  [{ url: "https://example.com" }, "https://example.com"],
  [{ query: "K2" }, "K2"],
  [{ text: 7 }, "before"],
  ["text", "before"],
  [null, "before"],
  [["text"], "before"],
])("of the report %j the line is %j", (update, line) => {
  expect(progressAfter(update, "before")).toBe(line);
});

it("keeps no more of what a program prints than a row needs", () => {
  expect(progressAfter({ text: "y".repeat(100_000) }, "x")).toHaveLength(4096);
});
