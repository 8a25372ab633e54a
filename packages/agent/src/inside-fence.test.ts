import { expect, it } from "vitest";
import { insideFence } from "./inside-fence.ts";

it.each([
  ["a fence with a language", "```json\n{}\n```", "{}"],
  ["a fence without one, and white space around it", "\n ```\n[1,\n2]\n```\n", "[1,\n2]"],
  ["text without a fence", " {} ", " {} "],
  ["a fence with text before it", "Here:\n```\n{}\n```", "Here:\n```\n{}\n```"],
])("%s", (_, text, inside) => {
  expect(insideFence(text)).toBe(inside);
});
