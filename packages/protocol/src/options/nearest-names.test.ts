import { describe, expect, it } from "vitest";
import { nearestNames } from "./nearest-names.ts";

describe("nearestNames", () => {
  it.each<[wanted: string, names: string[], nearest: string[]]>([
    ["confg.json", ["config.json", "package.json", "src"], ["config.json"]],
    ["README.md", ["readme.md", "src"], ["readme.md"]],
    ["echo_text", ["echo-text", "test"], ["echo-text"]],
    ["mian.ts", ["main.ts", "min.ts", "other.ts"], ["min.ts", "main.ts"]],
    ["unheard-of", ["src", "test"], []],
    ["a", ["a1", "a2", "a3", "a4"], ["a1", "a2", "a3"]],
  ])("finds for %s the names %j", (wanted, names, nearest) => {
    expect(nearestNames(wanted, names)).toEqual(nearest);
  });
});
