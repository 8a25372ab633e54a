import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../base/errors/usage-error.ts";
import { readPrices } from "./read-prices.ts";

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "prices.json"), text);
  return join(folder, "prices.json");
}

describe("readPrices", () => {
  it("reads the prices of models", async () => {
    const prices = { a: { input: 1, output: 2 }, b: { input: 0, output: 0, cacheRead: 0.1, cacheWrite: 3 } };
    expect(readPrices(fileWith(JSON.stringify(prices)))).toEqual(prices);
  });

  it.each([
    ["no JSON", "{", "line 1: this is not JSON"],
    ["a list", "[]", "they are no object"],
    ["a bare number", '{"a": 1}', '"a" has no object'],
    ["a missing price", '{"a": {"input": 1}}', '"a" has no number of 0 or more as "output"'],
    ["a price below nothing", '{"a": {"input": 1, "output": -1}}', '"a" has no number of 0 or more as "output"'],
    ["a price without end", '{"a": {"input": 1e999, "output": 1}}', '"a" has no number of 0 or more as "input"'],
    ["a price in words", '{"a": {"input": 1, "output": 2, "cacheRead": "3"}}', 'as "cacheRead"'],
    ["a field that is mistyped", '{"a": {"input": 1, "output": 2, "cached": 3}}', 'the unknown field "cached"'],
  ])("refuses %s, and says where", (_, text, problem) => {
    const reading = () => readPrices(fileWith(text));
    expect(reading).toThrow(UsageError);
    expect(reading).toThrow(problem);
  });

  it("names a file that does not exist", () => {
    expect(() => readPrices(join(tmpdir(), "no", "such.json"))).toThrow("The prices cannot be read from");
  });
});
