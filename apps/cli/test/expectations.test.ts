import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const folder = import.meta.dirname;
const rows = readFileSync(resolve(folder, "expectations.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number = "", , shown = ""] = line.split("|").map((cell) => cell.trim());
    return /^\d+$/.test(number) ? [{ number: Number(number), shown }] : [];
  });

it("the table names each expectation once, in order, and only tests that are there", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const missing = rows.flatMap(({ number, shown }) => {
    const named = [...shown.matchAll(/\]\(([^)]+)\)(?: "([^"]+)")?/g)];
    if (named.length === 0 && shown !== "Not yet") return [`${number}: nothing`];
    return named.flatMap(([, file = "", words]) => {
      const path = resolve(folder, file);
      const holds = existsSync(path) && (words === undefined || readFileSync(path, "utf8").includes(words));
      return holds ? [] : [`${number}: ${file} ${words ?? ""}`];
    });
  });
  expect(missing).toEqual([]);
});
