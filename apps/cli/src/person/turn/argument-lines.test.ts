import { expect, it } from "vitest";
import { argumentLines } from "./argument-lines.ts";

it.each([
  ["a text as it is", { command: "npm test | tail" }, ["command: npm test | tail"]],
  ["lines below their name", { content: "one\ntwo" }, ["content:", "  one", "  two"]],
  ["numbers, an empty text and nothing", { from: 20, query: "", to: null }, ["from: 20", 'query: ""', "to: null"]],
  ["a short list as JSON", { files: ["a", "b"] }, ['files: ["a","b"]']],
  [
    "a long list item by item",
    { edits: [{ old: `${"x".repeat(60)}\ny`, new: "z" }] },
    ["edits:", "  1:", "    old:", `      ${"x".repeat(60)}`, "      y", "    new: z"],
  ],
])("shows %s", (_, args, lines) => {
  expect(argumentLines({ args })).toEqual(lines);
});
