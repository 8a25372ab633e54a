import { describe, expect, it } from "vitest";
import { when } from "./when.ts";

const now = new Date(2026, 5, 15, 12).getTime();

describe("when", () => {
  it.each([
    [0, "just now"],
    [59, "just now"],
    [-30, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86_400, "1 day ago"],
    [6.5 * 86_400, "6 days ago"],
    [7 * 86_400, "2026-06-08"],
    [-3600, "2026-06-15"],
    [1e300, "unknown"],
  ])("tells a time %d seconds ago", (seconds, text) => {
    expect(when(now / 1000 - seconds, now)).toBe(text);
  });
});
