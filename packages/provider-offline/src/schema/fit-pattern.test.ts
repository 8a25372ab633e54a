import { expect, it } from "vitest";
import { fitPattern } from "./fit-pattern.ts";

it.each([
  ["^[A-Z]{3}-\\d{2,4}$", "AAA-00"],
  ["^[0-9a-f]{7}$", "aaaaaaa"],
  ["^v?\\d+\\.\\d+\\.\\d+(-[a-z]+)?$", "0.0.0"],
  ["^(?:GET|POST) /\\w*$", "GET /"],
  ["^(?<year>\\d{4})-\\d\\d$", "0000-00"],
  ["^[^a]\\S$", "Aa"],
  ["a|b", "a"],
  ["\\bword\\b", "word"],
  ["^\\p{Lu}\\u0041\\x41$", "AAA"],
  ["^$", ""],
])("fits %s with %s", (pattern, text) => {
  expect(fitPattern(pattern, 0, 100)).toBe(text);
});

it.each([
  ["a look ahead", "^(?=x).y$"],
  ["a text that is too long", "^a{200}$"],
  ["an expression that is none", "(["],
  ["repetitions without end", "^((a{1000}){1000}){1000}$"],
])("gives up %s", (_, pattern) => {
  expect(fitPattern(pattern, 0, 100)).toBe("");
});
