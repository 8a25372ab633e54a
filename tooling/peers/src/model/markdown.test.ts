import { expect, it } from "vitest";
import { markdown, paced } from "./markdown.ts";

it("is as long as it is asked for, and no part of it comes twice", () => {
  const text = markdown(50_000);
  expect(text).toHaveLength(50_000);
  const headings = text.match(/^## .*$/gm) ?? [];
  expect(new Set(headings).size).toBe(headings.length);
});

it("gives all of a text, piece by piece, however fast", async () => {
  const text = markdown(5_000);
  const pieces: string[] = [];
  for await (const piece of paced(text, 1e9)) pieces.push(piece);
  expect(pieces.join("")).toBe(text);
  expect(pieces.length).toBeGreaterThan(1);
});
