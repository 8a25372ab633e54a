import { expect, it } from "vitest";
import { tellingLine } from "./telling-line.ts";

it.each([
  ["nothing of none", [], undefined],
  ["the only one", ["no database"], "no database"],
  ["the last one, where none speaks of an error", ["begins", "no database"], "no database"],
  [
    "the error of Node, and not its version",
    ["node:internal/modules/cjs/loader:1143", "  throw err;", "Error: Cannot find module '/a.js'", "Node.js v24.21.0"],
    "Error: Cannot find module '/a.js'",
  ],
  [
    "what npm did not find, and not the place of its log",
    [
      "npm error code E404",
      "npm error 404 Not Found - GET https://a.example/docs-servr",
      "npm error 404",
      "npm error A complete log of this run can be found in: /a.log",
    ],
    "npm error 404 Not Found - GET https://a.example/docs-servr",
  ],
  [
    "the end of what Python writes",
    ["Traceback (most recent call last):", "    raise ValueError(1)", "ModuleNotFoundError: No module named 'docs'"],
    "ModuleNotFoundError: No module named 'docs'",
  ],
])("the line that says why is %s", (_, lines, line) => {
  expect(tellingLine(lines)).toBe(line);
});
